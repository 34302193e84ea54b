import DataSourceContracts

/// The tables of what is personal, within one transaction.
struct UserRecordTables {
    /// How many rows of the journal a user keeps: the newest.
    static let journalRowsMax: Int64 = 10_000

    let connection: SQLiteConnection
    /// Whose.
    let user: Int64

    /// Reads everything.
    ///
    /// - Throws: ``StoreError``: `unavailable` when there is no such user.
    func record() throws(StoreError) -> UserRecordDTO {
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
        return record
    }

    /// How often anything was changed.
    func changeCount() throws(StoreError) -> Int64 {
        let count = try connection.first(
            """
            SELECT profile_revision + favorites_revision + settings_revision
                + holdings_revision + cash_revision
            FROM users WHERE id = ?1
            """,
            [.integer(user)]
        ) { $0.integer(0) }
        guard let count else { throw noUser }
        return count
    }

    /// The newest rows of the journal, newest first.
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

    /// Writes that something changed, and forgets what is older than the bound.
    func note(_ kind: String, subject: String?, at time: Int64) throws(StoreError) {
        let last = try connection.first(
            "SELECT max(number) FROM journal WHERE user_id = ?1",
            [.integer(user)]
        ) { $0.integer(0) }
        let number = (last ?? 0) + 1
        try connection.run(
            "INSERT INTO journal (user_id, number, at, kind, subject) VALUES (?1, ?2, ?3, ?4, ?5)",
            [.integer(user), .integer(number), .integer(time), .text(kind), .text(ifAny: subject)]
        )
        try connection.run(
            "DELETE FROM journal WHERE user_id = ?1 AND number <= ?2",
            [.integer(user), .integer(number - Self.journalRowsMax)]
        )
        try connection.run("UPDATE changes SET count = count + 1 WHERE id = 1")
    }

    /// Writes rows of every table that changes touch, of all users, as they are.
    static func rewrite(in connection: SQLiteConnection) throws(StoreError) {
        try connection.run("UPDATE favorites SET position = position")
        try connection.run("UPDATE holdings SET quantity = quantity")
        try connection.run("UPDATE settings SET depth = depth")
        try connection.run("UPDATE cash SET amount = amount")
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

    private var noUser: StoreError {
        StoreError(
            .unavailable,
            "\(connection.path): it has no user \(user): name one that it has"
        )
    }

    private func profile() throws(StoreError) -> UserRecordDTO? {
        try connection.first(
            """
            SELECT name, display_name, profile_revision, favorites_revision, settings_revision,
                holdings_revision, cash_revision
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
            return record
        }
    }

    /// The markets in their order.
    func favorites() throws(StoreError) -> [String] {
        try connection.rows(
            "SELECT market FROM favorites WHERE user_id = ?1 ORDER BY position",
            [.integer(user)]
        ) { row throws(StoreError) in try row.text(0) }
    }

    private func settings() throws(StoreError) -> SettingsDTO? {
        try connection.first(
            """
            SELECT sort, sort_direction, quote, tab, pin_favorites, change_period, "interval",
                chart_style, averages, depth, theme, colors, lang
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
                lang: try row.text(12)
            )
        }
    }
}

/// As its connection.
@available(*, unavailable)
extension UserRecordTables: Sendable {}
