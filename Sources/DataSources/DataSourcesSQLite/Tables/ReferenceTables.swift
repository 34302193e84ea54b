import DataSourceContracts

/// The tables of last prices, names and warnings, within one transaction.
struct ReferenceTables {
    /// Key of a row of `readings`.
    private enum Reading: String {
        case names
        case marks
    }

    let connection: SQLiteConnection

    // MARK: Last prices

    /// Writes prices unless the stored one is later.
    func keep(_ closes: [StoredPriceDTO], feed: String) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO closes (feed, market, price, at, trade_value_24h, is_trading)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (feed, market) DO UPDATE SET
                price = excluded.price, at = excluded.at,
                trade_value_24h = excluded.trade_value_24h, is_trading = excluded.is_trading
            WHERE excluded.at >= at
            """,
            each: closes.lazy.map { close in
                [
                    .text(feed), .text(close.market), .text(close.price), .integer(close.at),
                    .text(ifAny: close.tradeValue24h), .integer(close.isTrading ? 1 : 0),
                ]
            }
        )
    }

    /// All prices of a feed, by market.
    func closes(feed: String) throws(StoreError) -> [StoredPriceDTO] {
        try connection.rows(
            """
            SELECT market, price, at, trade_value_24h, is_trading FROM closes
            WHERE feed = ?1 ORDER BY market
            """,
            [.text(feed)]
        ) { row throws(StoreError) in
            StoredPriceDTO(
                market: try row.text(0),
                price: try row.text(1),
                at: row.integer(2),
                tradeValue24h: try row.optionalText(3),
                isTrading: row.integer(4) != 0
            )
        }
    }

    // MARK: Names

    /// Replaces all names of a feed; of two for one coin the last one is kept.
    func keep(_ names: StoredNamesDTO, feed: String) throws(StoreError) {
        try connection.run("DELETE FROM coin_names WHERE feed = ?1", [.text(feed)])
        try connection.run(
            """
            INSERT INTO coin_names (feed, symbol, korean, english) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (feed, symbol) DO UPDATE
            SET korean = excluded.korean, english = excluded.english
            """,
            each: names.rows.lazy.map { row in
                [.text(feed), .text(row.symbol), .text(row.korean), .text(row.english)]
            }
        )
        try note(.names, of: feed, readAt: names.readAt)
    }

    /// All names of a feed, by coin; nil if none were ever stored.
    func names(feed: String) throws(StoreError) -> StoredNamesDTO? {
        guard let readAt = try time(of: .names, of: feed) else { return nil }
        let rows = try connection.rows(
            "SELECT symbol, korean, english FROM coin_names WHERE feed = ?1 ORDER BY symbol",
            [.text(feed)]
        ) { row throws(StoreError) in
            StoredNamesDTO.Row(
                symbol: try row.text(0),
                korean: try row.text(1),
                english: try row.text(2)
            )
        }
        return StoredNamesDTO(rows: rows, readAt: readAt)
    }

    // MARK: Warnings

    /// Replaces all warnings of a feed.
    func keep(_ marks: StoredWarningsDTO, feed: String) throws(StoreError) {
        try connection.run("DELETE FROM market_warnings WHERE feed = ?1", [.text(feed)])
        try connection.run("DELETE FROM market_alerts WHERE feed = ?1", [.text(feed)])
        try connection.run(
            """
            INSERT INTO market_warnings (feed, market) VALUES (?1, ?2)
            ON CONFLICT (feed, market) DO NOTHING
            """,
            each: marks.warned.lazy.map { [.text(feed), .text($0)] }
        )
        try connection.run(
            """
            INSERT INTO market_alerts (feed, position, market, type, step, ends_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            each: marks.alerts.enumerated().lazy.map { position, alert in
                [
                    .text(feed), .integer(Int64(position)), .text(alert.market),
                    .text(alert.type), .text(ifAny: alert.step), .integer(ifAny: alert.endsAt),
                ]
            }
        )
        try note(.marks, of: feed, readAt: marks.readAt)
    }

    /// All warnings of a feed; nil if none were ever stored.
    func marks(feed: String) throws(StoreError) -> StoredWarningsDTO? {
        guard let readAt = try time(of: .marks, of: feed) else { return nil }
        let warned = try connection.rows(
            "SELECT market FROM market_warnings WHERE feed = ?1 ORDER BY market",
            [.text(feed)]
        ) { row throws(StoreError) in try row.text(0) }
        let alerts = try connection.rows(
            """
            SELECT market, type, step, ends_at FROM market_alerts WHERE feed = ?1 ORDER BY position
            """,
            [.text(feed)]
        ) { row throws(StoreError) in
            StoredWarningsDTO.Alert(
                market: try row.text(0),
                type: try row.text(1),
                step: try row.optionalText(2),
                endsAt: row.optionalInteger(3)
            )
        }
        return StoredWarningsDTO(warned: warned, alerts: alerts, readAt: readAt)
    }

    // MARK: Readings

    private func note(
        _ reading: Reading,
        of feed: String,
        readAt time: Int64
    ) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO readings (feed, kind, read_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (feed, kind) DO UPDATE SET read_at = excluded.read_at
            """,
            [.text(feed), .text(reading.rawValue), .integer(time)]
        )
    }

    private func time(of reading: Reading, of feed: String) throws(StoreError) -> Int64? {
        try connection.first(
            "SELECT read_at FROM readings WHERE feed = ?1 AND kind = ?2",
            [.text(feed), .text(reading.rawValue)]
        ) { $0.integer(0) }
    }
}

/// Not sendable, like its connection.
@available(*, unavailable)
extension ReferenceTables: Sendable {}
