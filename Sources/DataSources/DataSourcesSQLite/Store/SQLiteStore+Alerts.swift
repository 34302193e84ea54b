public import DataSourceContracts

/// The alert rules of the one user; of the programs with the file open, one evaluates them.
extension SQLiteStore: AlertStoreSource {
    // MARK: The lease

    /// Acquires the lease of a feed; its end is measured by the store's clock.
    ///
    /// A lease of another program is only read.
    public func takeLease(
        holder: String,
        feed: String,
        for duration: Duration
    ) throws(StoreError) -> LeaseDTO? {
        let time = now()
        let isFree = try perform(.reading) { connection throws(StoreError) in
            try LeaseTable(connection: connection, now: time)
                .isFree(for: holder, feed: feed, duration)
        }
        guard isFree else { return nil }
        return try perform(.writing) { connection throws(StoreError) in
            let table = LeaseTable(connection: connection, now: now())
            guard try table.isFree(for: holder, feed: feed, duration) else { return nil }
            return try table.take(holder: holder, feed: feed, for: duration)
        }
    }

    /// Extends a lease, which writes one row.
    public func renewLease(
        _ lease: LeaseDTO,
        for duration: Duration
    ) throws(StoreError) -> Bool {
        try perform(.writing) { connection throws(StoreError) in
            let time = now()
            return try LeaseTable(connection: connection, now: time)
                .end(lease, at: time + duration.microseconds)
        }
    }

    /// Releases a lease if it is still held.
    public func releaseLease(_ lease: LeaseDTO) throws(StoreError) {
        try perform(.writing) { connection throws(StoreError) in
            let time = now()
            _ = try LeaseTable(connection: connection, now: time).end(lease, at: time)
        }
    }

    // MARK: Rules

    /// Reads the user if there are rules of the feed.
    public func alertOwners(
        _ users: [Int64]?,
        feed: String
    ) throws(StoreError) -> [AlertOwnerDTO] {
        try perform(.reading) { connection throws(StoreError) in
            let owners = try connection.rows(
                "SELECT DISTINCT user_id FROM alert_rules WHERE feed = ?1 ORDER BY user_id",
                [.text(feed)]
            ) { $0.integer(0) }
            var found: [AlertOwnerDTO] = []
            for user in owners where users?.contains(user) ?? true {
                found.append(
                    AlertOwnerDTO(
                        user: user,
                        record: try UserRecordTables(connection: connection, user: user)
                            .record(logRowsMax: 0),
                        states: try AlertTables(connection: connection, user: user).states()
                    )
                )
            }
            return found
        }
    }

    /// Reads the markets whose books the rules need, by name.
    public func alertBooks(feed: String) throws(StoreError) -> [String] {
        try perform(.reading) { connection throws(StoreError) in
            try connection.rows(
                """
                SELECT books FROM alert_rules WHERE feed = ?1 AND books <> 'favorites'
                UNION
                SELECT market FROM alert_rules JOIN favorites USING (user_id)
                WHERE feed = ?1 AND books = 'favorites'
                ORDER BY 1
                """,
                [.text(feed)]
            ) { row throws(StoreError) in try row.text(0) }
        }
    }

    /// Reads whether the user changed: the mark is the number of changes of all users.
    public func alertChanges(
        after mark: String?
    ) throws(StoreError) -> (users: [Int64], mark: String) {
        try perform(.reading) { connection throws(StoreError) in
            let count = try connection.first("SELECT count FROM changes WHERE id = 1") {
                $0.integer(0)
            }
            let next = "\(count ?? 0)"
            guard let mark, mark != next else { return ([], next) }
            let users = try connection.rows("SELECT id FROM users WHERE alerts_revision > 0") {
                $0.integer(0)
            }
            return (users, next)
        }
    }

    // MARK: Alerts

    /// Stores alerts in one transaction, as the holder of the lease of their feed.
    public func storeAlerts(
        _ alerts: [NewAlertDTO],
        at storedAt: Int64,
        under lease: LeaseDTO
    ) throws(StoreError) -> Int {
        try perform(.writing) { connection throws(StoreError) in
            try LeaseTable(connection: connection, now: now()).hold(lease)
            var count = 0
            for (user, own) in Dictionary(grouping: alerts, by: \.user) {
                count += try AlertTables(connection: connection, user: user)
                    .store(own, feed: lease.feed, at: storedAt)
            }
            return count
        }
    }

    /// Reads a page of a user's log, newest first.
    public func alertLog(
        of user: Int64,
        before number: Int64?,
        count: Int
    ) throws(StoreError) -> [AlertLogDTO] {
        try perform(.reading) { connection throws(StoreError) in
            try AlertTables(connection: connection, user: user).log(newest: count, before: number)
        }
    }

    // MARK: Values

    /// Reads the values that were saved last.
    public func alertValues(feed: String) throws(StoreError) -> [String] {
        let text = try perform(.reading) { connection throws(StoreError) in
            try connection.first(
                "SELECT lines FROM alert_values WHERE feed = ?1",
                [.text(feed)]
            ) { row throws(StoreError) in try row.text(0) }
        }
        // Each line has an end, so the text after the last one is empty.
        return (text ?? "").utf8.split(separator: Self.lineEnd, omittingEmptySubsequences: false)
            .dropLast().map { String(Substring($0)) }
    }

    /// Saves values unless they are saved already.
    public func saveAlertValues(
        _ lines: [String],
        under lease: LeaseDTO
    ) throws(StoreError) {
        let text = lines.map { $0 + "\n" }.joined()
        try perform(.writing) { connection throws(StoreError) in
            let time = now()
            try LeaseTable(connection: connection, now: time).hold(lease)
            try connection.run(
                """
                INSERT INTO alert_values (feed, saved_at, lines) VALUES (?1, ?2, ?3)
                ON CONFLICT (feed) DO UPDATE SET
                    saved_at = excluded.saved_at, lines = excluded.lines
                WHERE lines <> excluded.lines
                """,
                [.text(lease.feed), .integer(time), .text(text)]
            )
        }
    }

    private static let lineEnd = UInt8(ascii: "\n")
}
