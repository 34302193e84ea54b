import DataSourceContracts

/// The tables of a user's record, inside one transaction.
struct UserRecordTables {
    /// The newest journal rows that are kept for each user.
    static let journalRowsMax: Int64 = 10_000

    let connection: SQLiteConnection
    /// The user's number.
    let user: Int64

    /// Reads the whole record.
    ///
    /// - Parameter logRowsMax: the most rows of the alerts' log.
    /// - Returns: the record as of the transaction.
    /// - Throws: ``StoreError``: `unavailable` when there is no such user.
    func record(
        logRowsMax: Int = AlertLogDTO.recordRowsMax
    ) throws(StoreError) -> UserRecordDTO {
        guard var record = try profile() else {
            throw noUser
        }
        record.favorites = try favorites()
        record.settings = try settings()
        record.holdings = try connection.rows(
            "SELECT asset, quantity, average_price FROM holdings WHERE user_id = ?1 ORDER BY asset",
            [.integer(user)]
        ) { row throws(StoreError) in
            UserRecordDTO.Holding(
                asset: try row.text(0),
                quantity: try row.text(1),
                averagePrice: try row.optionalText(2)
            )
        }
        record.cash = try connection.first(
            "SELECT amount FROM cash WHERE user_id = ?1",
            [.integer(user)]
        ) { row throws(StoreError) in try row.text(0) }
        let alerts = AlertTables(connection: connection, user: user)
        record.alertRules = try alerts.rules()
        if logRowsMax > 0 { record.alertLog = try alerts.log(newest: logRowsMax) }
        return record
    }

    /// Reads the number of changes.
    func changeCount() throws(StoreError) -> Int64 {
        let count = try connection.first(
            """
            SELECT profile_revision + favorites_revision + settings_revision
                + holdings_revision + cash_revision + alerts_revision
            FROM users WHERE id = ?1
            """,
            [.integer(user)]
        ) { $0.integer(0) }
        guard let count else { throw noUser }
        return count
    }

    /// Reads the newest journal rows, newest first.
    func journal(newest count: Int) throws(StoreError) -> [JournalDTO] {
        try connection.rows(
            """
            SELECT number, at, kind, subject FROM journal WHERE user_id = ?1
            ORDER BY number DESC LIMIT ?2
            """,
            [.integer(user), .integer(Int64(max(0, count)))]
        ) { row throws(StoreError) in
            JournalDTO(
                number: row.integer(0),
                at: row.integer(1),
                kind: try row.text(2),
                subject: try row.optionalText(3)
            )
        }
    }

    /// Appends a row to the journal and deletes the rows beyond its bound.
    func append(_ entry: NewJournalDTO) throws(StoreError) {
        let last = try connection.first(
            "SELECT max(number) FROM journal WHERE user_id = ?1",
            [.integer(user)]
        ) { $0.integer(0) }
        let number = (last ?? 0) + 1
        try connection.run(
            "INSERT INTO journal (user_id, number, at, kind, subject) VALUES (?1, ?2, ?3, ?4, ?5)",
            [
                .integer(user), .integer(number), .integer(entry.at), .text(entry.kind),
                .text(ifAny: entry.subject),
            ]
        )
        try connection.run(
            "DELETE FROM journal WHERE user_id = ?1 AND number <= ?2",
            [.integer(user), .integer(number - Self.journalRowsMax)]
        )
        try connection.run("UPDATE changes SET count = count + 1 WHERE id = 1")
    }

    /// Rewrites rows of every table that changes touch, of all users, with their own values.
    static func rewrite(in connection: SQLiteConnection) throws(StoreError) {
        try connection.run("UPDATE favorites SET position = position")
        try connection.run("UPDATE holdings SET quantity = quantity")
        try connection.run("UPDATE settings SET depth = depth")
        try connection.run("UPDATE cash SET amount = amount")
        try connection.run("UPDATE alert_rules SET feed = feed")
        try connection.run("UPDATE users SET name = name")
        try connection.run(
            """
            UPDATE journal SET at = at
            WHERE (user_id, number) IN (SELECT user_id, max(number) FROM journal GROUP BY user_id)
            """
        )
        try connection.run("UPDATE changes SET count = count")
    }

    // MARK: Parts

    var noUser: StoreError {
        StoreError(
            .unavailable,
            "\(connection.path): no user \(user). Run 'hoga user list' to see the users"
        )
    }

    private func profile() throws(StoreError) -> UserRecordDTO? {
        try connection.first(
            """
            SELECT name, display_name, profile_revision, favorites_revision, settings_revision,
                holdings_revision, cash_revision, alerts_revision, alerts_seen
            FROM users WHERE id = ?1
            """,
            [.integer(user)]
        ) { row throws(StoreError) in
            var record = UserRecordDTO(name: try row.text(0))
            record.displayName = try row.optionalText(1)
            record.revisions.profile = row.integer(2)
            record.revisions.favorites = row.integer(3)
            record.revisions.settings = row.integer(4)
            record.revisions.holdings = row.integer(5)
            record.revisions.cash = row.integer(6)
            record.revisions.alerts = row.integer(7)
            record.alertsSeen = row.integer(8)
            return record
        }
    }

    private func favorites() throws(StoreError) -> [String] {
        try connection.rows(
            "SELECT market FROM favorites WHERE user_id = ?1 ORDER BY position",
            [.integer(user)]
        ) { row throws(StoreError) in try row.text(0) }
    }

    private func settings() throws(StoreError) -> SettingsDTO? {
        try connection.first(
            """
            SELECT sort, sort_direction, quote, tab, pin_favorites, change_period, "interval",
                chart_style, averages, depth, theme, colors, lang, market_layout
            FROM settings WHERE user_id = ?1
            """,
            [.integer(user)]
        ) { row throws(StoreError) in
            SettingsDTO(
                sort: try row.text(0),
                sortDirection: try row.text(1),
                quote: try row.text(2),
                tab: try row.text(3),
                pinFavorites: row.integer(4) != 0,
                changePeriod: try row.text(5),
                interval: try row.text(6),
                chartStyle: try row.text(7),
                averages: try row.text(8),
                depth: Int(row.integer(9)),
                theme: try row.text(10),
                colors: try row.text(11),
                lang: try row.text(12),
                marketLayout: try row.optionalText(13)
            )
        }
    }
}

extension UserRecordTables {
    /// Writes the rows that differ and increments the revisions of their parts.
    func write(_ difference: UserRecordDifference) throws(StoreError) {
        if let name = difference.displayName {
            try connection.run(
                "UPDATE users SET display_name = ?2 WHERE id = ?1",
                [.integer(user), .text(ifAny: name)]
            )
        }
        if let favorites = difference.favorites { try write(favorites) }
        if let settings = difference.settings { try write(settings) }
        for asset in difference.removedAssets {
            try connection.run(
                "DELETE FROM holdings WHERE user_id = ?1 AND asset = ?2",
                [.integer(user), .text(asset)]
            )
        }
        for holding in difference.holdings { try write(holding) }
        switch difference.cash {
        case nil: break
        case .some(nil):
            try connection.run("DELETE FROM cash WHERE user_id = ?1", [.integer(user)])
        case .some(let amount?):
            try connection.run(
                """
                INSERT INTO cash (user_id, amount) VALUES (?1, ?2)
                ON CONFLICT (user_id) DO UPDATE SET amount = excluded.amount
                """,
                [.integer(user), .text(amount)]
            )
        }
        let alerts = AlertTables(connection: connection, user: user)
        for number in difference.removedAlertRules { try alerts.remove(number) }
        for rule in difference.alertRules { try alerts.put(rule) }
        if let number = difference.alertsSeen {
            try connection.run(
                "UPDATE users SET alerts_seen = ?2 WHERE id = ?1",
                [.integer(user), .integer(number)]
            )
        }
        try increment(difference.increments)
    }

    private func increment(_ revisions: UserRecordDTO.Revisions) throws(StoreError) {
        try connection.run(
            """
            UPDATE users SET
                profile_revision = profile_revision + ?2,
                favorites_revision = favorites_revision + ?3,
                settings_revision = settings_revision + ?4,
                holdings_revision = holdings_revision + ?5,
                cash_revision = cash_revision + ?6,
                alerts_revision = alerts_revision + ?7
            WHERE id = ?1
            """,
            [
                .integer(user), .integer(revisions.profile), .integer(revisions.favorites),
                .integer(revisions.settings), .integer(revisions.holdings),
                .integer(revisions.cash), .integer(revisions.alerts),
            ]
        )
    }

    private func write(_ favorites: UserRecordDifference.Favorites) throws(StoreError) {
        switch favorites {
        case .append(let markets): try append(markets)
        case .remove(let market):
            try connection.run(
                "DELETE FROM favorites WHERE user_id = ?1 AND market = ?2",
                [.integer(user), .text(market)]
            )
        case .replace(let markets):
            try connection.run("DELETE FROM favorites WHERE user_id = ?1", [.integer(user)])
            try append(markets)
        }
    }

    private func append(_ markets: [String]) throws(StoreError) {
        let next = try connection.first(
            "SELECT coalesce(max(position), -1) + 1 FROM favorites WHERE user_id = ?1",
            [.integer(user)]
        ) { $0.integer(0) }
        try connection.run(
            "INSERT INTO favorites (user_id, market, position) VALUES (?1, ?2, ?3)",
            each: zip((next ?? 0)..., markets).lazy.map { position, market in
                [.integer(user), .text(market), .integer(position)]
            }
        )
    }

    private func write(_ holding: UserRecordDTO.Holding) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO holdings (user_id, asset, quantity, average_price) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (user_id, asset) DO UPDATE
            SET quantity = excluded.quantity, average_price = excluded.average_price
            """,
            [
                .integer(user), .text(holding.asset), .text(holding.quantity),
                .text(ifAny: holding.averagePrice),
            ]
        )
    }

    private func write(_ settings: SettingsDTO) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO settings (
                user_id, sort, sort_direction, quote, tab, pin_favorites, change_period, "interval",
                chart_style, averages, depth, theme, colors, lang, market_layout
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            ON CONFLICT (user_id) DO UPDATE SET
                sort = excluded.sort, sort_direction = excluded.sort_direction,
                quote = excluded.quote, tab = excluded.tab,
                pin_favorites = excluded.pin_favorites, change_period = excluded.change_period,
                "interval" = excluded."interval", chart_style = excluded.chart_style,
                averages = excluded.averages, depth = excluded.depth, theme = excluded.theme,
                colors = excluded.colors, lang = excluded.lang,
                market_layout = excluded.market_layout
            """,
            [
                .integer(user), .text(settings.sort), .text(settings.sortDirection),
                .text(settings.quote), .text(settings.tab),
                .integer(settings.pinFavorites ? 1 : 0), .text(settings.changePeriod),
                .text(settings.interval), .text(settings.chartStyle), .text(settings.averages),
                .integer(Int64(settings.depth)), .text(settings.theme), .text(settings.colors),
                .text(settings.lang), .text(ifAny: settings.marketLayout),
            ]
        )
    }
}

/// As its connection.
@available(*, unavailable)
extension UserRecordTables: Sendable {}
