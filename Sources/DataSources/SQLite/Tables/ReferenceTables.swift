import DataSources

/// The tables of last prices, names and warnings, within one transaction.
struct ReferenceTables {
    /// What was read: the key of a row of `readings`.
    private enum Reading: String {
        case names
        case marks
    }

    let connection: SQLiteConnection

    // MARK: Last prices

    /// Keeps prices unless a later one is there.
    func keep(_ closes: [CloseDTO], feed: String) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO closes (feed, market, price, at, trade_value_24h)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (feed, market) DO UPDATE SET
                price = excluded.price, at = excluded.at, trade_value_24h = excluded.trade_value_24h
            WHERE excluded.at >= at
            """,
            each: closes.lazy.map { close in
                [
                    .text(feed), .text(close.market), .text(close.price), .integer(close.at),
                    .text(ifAny: close.tradeValue24h),
                ]
            }
        )
    }

    /// All prices of a feed, by market.
    func closes(feed: String) throws(StoreError) -> [CloseDTO] {
        try connection.rows(
            """
            SELECT market, price, at, trade_value_24h FROM closes WHERE feed = ?1 ORDER BY market
            """,
            [.text(feed)]
        ) { row throws(StoreError) in
            CloseDTO(
                market: try row.text(0),
                price: try row.text(1),
                at: row.integer(2),
                tradeValue24h: try row.optionalText(3)
            )
        }
    }

    // MARK: Names

    /// Replaces all names; of two for one coin the last stands.
    func keep(_ names: StoredNamesDTO) throws(StoreError) {
        try connection.run("DELETE FROM coin_names")
        try connection.run(
            """
            INSERT INTO coin_names (symbol, korean, english) VALUES (?1, ?2, ?3)
            ON CONFLICT (symbol) DO UPDATE SET korean = excluded.korean, english = excluded.english
            """,
            each: names.rows.lazy.map { row in
                [.text(row.symbol), .text(row.korean), .text(row.english)]
            }
        )
        try note(.names, readAt: names.readAt)
    }

    /// All names, by coin; nil if none were ever read.
    func names() throws(StoreError) -> StoredNamesDTO? {
        guard let readAt = try time(of: .names) else { return nil }
        let rows = try connection.rows(
            "SELECT symbol, korean, english FROM coin_names ORDER BY symbol"
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

    /// Replaces all warnings.
    func keep(_ marks: StoredMarksDTO) throws(StoreError) {
        try connection.run("DELETE FROM market_warnings")
        try connection.run("DELETE FROM market_alerts")
        try connection.run(
            "INSERT INTO market_warnings (market) VALUES (?1) ON CONFLICT (market) DO NOTHING",
            each: marks.warned.lazy.map { [.text($0)] }
        )
        try connection.run(
            """
            INSERT INTO market_alerts (position, market, type, step, ends_at)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            each: marks.alerts.enumerated().lazy.map { position, alert in
                [
                    .integer(Int64(position)), .text(alert.market), .text(alert.type),
                    .text(ifAny: alert.step), .integer(ifAny: alert.endsAt),
                ]
            }
        )
        try note(.marks, readAt: marks.readAt)
    }

    /// All warnings; nil if none were ever read.
    func marks() throws(StoreError) -> StoredMarksDTO? {
        guard let readAt = try time(of: .marks) else { return nil }
        let warned = try connection.rows("SELECT market FROM market_warnings ORDER BY market") {
            row throws(StoreError) in try row.text(0)
        }
        let alerts = try connection.rows(
            "SELECT market, type, step, ends_at FROM market_alerts ORDER BY position"
        ) { row throws(StoreError) in
            StoredMarksDTO.Alert(
                market: try row.text(0),
                type: try row.text(1),
                step: try row.optionalText(2),
                endsAt: row.optionalInteger(3)
            )
        }
        return StoredMarksDTO(warned: warned, alerts: alerts, readAt: readAt)
    }

    // MARK: Readings

    private func note(_ reading: Reading, readAt time: Int64) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO readings (kind, read_at) VALUES (?1, ?2)
            ON CONFLICT (kind) DO UPDATE SET read_at = excluded.read_at
            """,
            [.text(reading.rawValue), .integer(time)]
        )
    }

    private func time(of reading: Reading) throws(StoreError) -> Int64? {
        try connection.first(
            "SELECT read_at FROM readings WHERE kind = ?1",
            [.text(reading.rawValue)]
        ) { $0.integer(0) }
    }
}

/// As its connection.
@available(*, unavailable)
extension ReferenceTables: Sendable {}
