public import DataSourceContracts

extension PostgreSQLStore: AlertStoreSource {
    /// The users that one round trip reads, in about 100 ms.
    private static let ownersMax = 1_000

    /// Reads the users with alert rules of a feed, a thousand at a time.
    ///
    /// A user who changes meanwhile is read as of before or after the change.
    public func alertOwners(
        _ users: [Int64]?,
        feed: String
    ) async throws(StoreError) -> [AlertOwnerDTO] {
        var owners: [AlertOwnerDTO] = []
        var last: Int64 = 0
        while true {
            let answers = try await pool.perform(
                [
                    settle(.short),
                    Statements.readAlertOwners(
                        .text(feed),
                        users.map(PostgreSQLValue.integers) ?? .null,
                        .integer(last),
                        .integer(Int64(Self.ownersMax))
                    ),
                ],
                as: .reading
            )
            let page = try Self.owners(answers[1])
            owners += page
            guard page.count == Self.ownersMax, let end = page.last else { return owners }
            last = end.user
        }
    }

    private static func owners(_ rows: PostgreSQLRows) throws(StoreError) -> [AlertOwnerDTO] {
        var records: [Int64: UserRecordRows] = [:]
        for row in rows {
            try records[row.integer(0), default: UserRecordRows()].add(row, from: 1)
        }
        return records.keys.sorted().compactMap { user in
            records[user].flatMap { rows in
                rows.finished().map { record in
                    AlertOwnerDTO(user: user, record: record, states: rows.sortedStates)
                }
            }
        }
    }

    /// Stores alerts in one transaction, and tells other instances which users changed.
    ///
    /// - Throws: ``StoreError``: `busy` if a change of one of the users takes more than a second;
    ///   `refused` for a value that is not a canonical decimal and for a time outside the years 1
    ///   to 9999; else as the protocol says.
    public func storeAlerts(
        _ alerts: [NewAlertDTO],
        at storedAt: Int64,
        under lease: LeaseDTO
    ) async throws(StoreError) -> Int {
        try CanonicalValues.check(time: storedAt, "the time of storing an alert")
        for new in alerts {
            try CanonicalValues.check(time: new.alert.at, "the time of an alert")
            try CanonicalValues.check(time: new.createdAt, "the time of an alert rule")
            try CanonicalValues.check(decimal: new.alert.value, "the value of an alert")
        }
        let values: [PostgreSQLValue] = [
            .text(lease.feed), .time(storedAt), .integers(alerts.map(\.user)),
            .integers(alerts.map(\.alert.rule)), .texts(alerts.map { $0.alert.market ?? "" }),
            .times(alerts.map(\.alert.at)), .decimals(alerts.map(\.alert.value)),
            .integers(alerts.map { $0.alert.isRise ? 1 : 0 }),
            .texts(alerts.map(\.alert.lateness)), .times(alerts.map(\.createdAt)),
            .texts(alerts.map(\.state)),
        ]
        let answers = try await pool.perform(
            [settle(.leading), Statements.storeAlerts(values: lease.values + values)],
            as: .writing
        )
        var count = 0
        for row in answers[1] {
            notices?.add(try row.integer(0))
            count += Int(try row.integer(1))
        }
        return count
    }

    /// Reads the values that were saved last for a feed.
    public func alertValues(feed: String) async throws(StoreError) -> [String] {
        try await texts(Statements.readAlertValues(.text(feed)))
    }

    /// Saves values unless they are saved already.
    public func saveAlertValues(
        _ lines: [String],
        under lease: LeaseDTO
    ) async throws(StoreError) {
        let values = lease.values + [.text(lease.feed), .texts(lines)]
        _ = try await pool.perform(
            [settle(.leading), Statements.saveAlertValues(values: values)],
            as: .writing
        )
    }

    /// Reads which users changed, from the journal.
    public func alertChanges(
        after mark: String?
    ) async throws(StoreError) -> (users: [Int64], mark: String) {
        let answers = try await pool.perform(
            [settle(.short), Statements.readAlertChanges(.text(ifAny: mark))],
            as: .urgent
        )
        var next = ""
        var users: [Int64] = []
        for row in answers[1] {
            if let mark = try row.optionalText(0) { next = mark }
            if let user = try row.optionalInteger(1) { users.append(user) }
        }
        return (users.sorted(), next)
    }

    /// Reads a page of a user's log, newest first; empty without such a user.
    public func alertLog(
        of user: Int64,
        before number: Int64?,
        count: Int
    ) async throws(StoreError) -> [AlertLogDTO] {
        let answers = try await pool.perform(
            [
                settle(user),
                Statements.readAlertLog(
                    .integer(user),
                    number.map(PostgreSQLValue.integer) ?? .null,
                    .integer(Int64(max(0, count)))
                ),
            ],
            as: .reading
        )
        try verifyRowSecurity(answers)
        var rows: [AlertLogDTO] = []
        for row in answers[1] { rows.append(try AlertLogDTO(row)) }
        return rows
    }

    /// Reads the markets whose books the rules need, by name.
    public func alertBooks(feed: String) async throws(StoreError) -> [String] {
        try await texts(Statements.readAlertBooks(.text(feed)))
    }

    private func texts(_ statement: PostgreSQLStatement) async throws(StoreError) -> [String] {
        let answers = try await pool.perform([settle(.short), statement], as: .reading)
        var texts: [String] = []
        for row in answers[1] { texts.append(try row.text(0)) }
        return texts
    }
}
