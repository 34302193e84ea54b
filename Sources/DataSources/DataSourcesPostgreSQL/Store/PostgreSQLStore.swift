public import DataSourceContracts

/// The store of a deployment: one database, shared by any number of instances.
///
/// The store connects as a member of `hoga_app`, to which row-level security applies: each
/// transaction sees the rows of the user it sets. Every instance writes users' records; market data
/// is written only through ``fenced(by:)``.
public final class PostgreSQLStore: UserRecordSource {
    /// Time limits of a transaction, so that a hanging one does not block others.
    struct TransactionTimeouts: Sendable {
        /// Limit of one statement.
        var statement: Duration
        /// Limit of waiting for a lock.
        var lock: Duration
        /// Limit of idling in the transaction.
        ///
        /// A process that was suspended or disconnected does not keep its locks longer, so another
        /// one can take over the lease.
        var idle = Duration.seconds(2)

        /// For users' records: they block only their user, and a busy machine may need time between
        /// two round trips.
        static let personal = TransactionTimeouts(
            statement: .seconds(4),
            lock: .seconds(2),
            idle: .seconds(10)
        )
        /// For small shared data.
        static let short = TransactionTimeouts(statement: .seconds(4), lock: .seconds(2))
        /// For the frequent writes of the holder of a lease.
        ///
        /// A holder that is suspended or disconnected sends nothing more, but what it has sent
        /// continues with the lease locked. Another process must write within five seconds
        /// nevertheless. A round trip has one slow statement, which ends 1.5 s after the
        /// suspension, and the transaction then idles for 2 s: the lock is released after 3.5 s.
        /// The lease expires 3 s after its last renewal. It is requested every 0.25 s by a call
        /// that waits up to 1 s for the lock, so it is acquired about 3.75 s after the suspension,
        /// which leaves 1.25 s for the first write. Hourly work, on old or very many candles, uses
        /// ``long`` instead.
        static let leading = TransactionTimeouts(statement: .milliseconds(1_500), lock: .seconds(1))
        /// For statements on many candles.
        static let long = TransactionTimeouts(statement: .seconds(30), lock: .seconds(5))
        /// Limit of a whole round trip with ``long``.
        static let longest = Duration.seconds(40)

        /// The parameters, in order.
        func values(times factor: Int) -> [PostgreSQLValue] {
            [statement, lock, idle].map { .text("\(($0 * factor).milliseconds)ms") }
        }
    }

    let pool: PostgreSQLPool
    /// Reads candles from standbys; nil if all is read from the primary.
    public let history: StandbyReader?
    /// Whether all changes are refused, because the address accepts only standbys.
    public let isReadOnly: Bool
    /// Tells other instances of changes.
    let notices: ChangeNoticeSender?
    private let slowness: Int

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - pool: its address has a member of the role `hoga_app`.
    ///   - notices: tells other instances at once of changes by this one; without it they find
    ///     them within a second.
    ///   - history: reads candles from standbys; nil to read all from the primary.
    public convenience init(
        pool: PostgreSQLPool,
        notices: ChangeNoticeSender? = nil,
        history: StandbyReader? = nil
    ) {
        self.init(pool: pool, notices: notices, history: history, slowness: 1)
    }

    /// Makes a store for a slow machine, with time limits multiplied by `slowness`.
    init(
        pool: PostgreSQLPool,
        notices: ChangeNoticeSender? = nil,
        history: StandbyReader? = nil,
        slowness: Int
    ) {
        self.pool = pool
        self.history = history
        isReadOnly = pool.address.isReadOnly
        self.notices = notices
        self.slowness = slowness
    }

    /// The database's address, without password.
    public var location: String { "\(pool.address)" }

    // MARK: Records

    /// Reads the record of a user as of one moment, in one round trip.
    ///
    /// - Throws: ``StoreError``: `unavailable` when there is no such user.
    public func record(of user: Int64) async throws(StoreError) -> UserRecordDTO {
        let answers = try await pool.perform(
            [settle(user), Statements.readUserRecord(.integer(user), Statements.logRowsMax)],
            as: .reading
        )
        try verifyRowSecurity(answers)
        guard let record = try UserRecordDTO.read(answers[1]) else { throw noUser(user) }
        return record
    }

    /// Changes the record of a user and appends a row to the journal, which keeps the newest 10,000
    /// rows of the last 366 days.
    ///
    /// - Throws: ``StoreError``: `refused` for an amount that is not a canonical decimal and for a
    ///   time outside the years 1 to 9999, `forbidden` if the address accepts only standbys; else
    ///   as the protocol says.
    public func update(
        _ user: Int64,
        entry: NewJournalDTO,
        _ change: @Sendable (UserRecordDTO) throws(StoreError) -> UserRecordDTO
    ) async throws(StoreError) -> UserRecordDTO {
        guard !isReadOnly else { throw Self.readOnlyAddress }
        try CanonicalValues.check(time: entry.at, "the time of a change")
        let changed = try await pool.transaction { transaction async throws(StoreError) in
            // The row lock comes first: the record read after it cannot change until the commit.
            let answers = try await transaction.perform([
                self.settle(user), Statements.lockUser(.integer(user)),
                Statements.readUserRecord(.integer(user), Statements.logRowsMax),
            ])
            try self.verifyRowSecurity(answers)
            guard let record = try UserRecordDTO.read(answers[2]) else { throw self.noUser(user) }
            var next = try change(record)
            let difference = UserRecordDifference(from: record, to: next)
            guard !difference.isEmpty else { return record }
            let written = try await transaction.perform(
                try Statements.write(difference, of: user, entry)
            )
            guard let revisions = written.last?.first else { throw self.noUser(user) }
            next.revisions = try UserRecordDTO.Revisions(revisions)
            next.alertLog = record.alertLog
            next.sort()
            return next
        }
        // A notice too many does no harm.
        notices?.add(user)
        return changed
    }

    /// Reads the number of changes of a user's record, by any instance.
    public func changeCount(of user: Int64) async throws(StoreError) -> Int64 {
        let answers = try await pool.perform(
            [settle(user), Statements.readChangeCount(.integer(user))],
            as: .reading
        )
        try verifyRowSecurity(answers)
        guard let row = answers[1].first else { throw noUser(user) }
        return try row.integer(0)
    }

    /// Checks that a change could be written: locks and rewrites the user's row.
    ///
    /// A store that refuses all changes by its address works without that.
    public func checkWriting(of user: Int64) async throws(StoreError) {
        guard !isReadOnly else { return }
        let answers = try await pool.perform(
            [
                settle(user), Statements.lockUser(.integer(user)),
                Statements.rewriteUser(.integer(user)),
            ],
            as: .writing
        )
        try verifyRowSecurity(answers)
        guard answers[2].changedRows == 1 else { throw noUser(user) }
    }

    /// Reads the newest journal rows of a user, newest first.
    public func journal(user: Int64, newest count: Int) async throws(StoreError) -> [JournalDTO] {
        let answers = try await pool.perform(
            [
                settle(user),
                Statements.readJournal(.integer(user), .integer(Int64(max(0, count)))),
            ],
            as: .reading
        )
        try verifyRowSecurity(answers)
        var rows: [JournalDTO] = []
        for row in answers[1] { rows.append(try JournalDTO(row)) }
        return rows
    }

    // MARK: For the calls

    /// Limit of a whole round trip with the long timeouts.
    var longestTimeout: Duration { TransactionTimeouts.longest * slowness }

    /// The first statement of a transaction without a user.
    func settle(_ patience: TransactionTimeouts) -> PostgreSQLStatement {
        Statements.settle(values: patience.values(times: slowness))
    }

    /// The first statement of a transaction of a user.
    func settle(_ user: Int64) -> PostgreSQLStatement {
        Statements.settleUser(
            values: [.text("\(user)")] + TransactionTimeouts.personal.values(times: slowness)
        )
    }

    /// Verifies that row-level security applies to the role; without it no user's record is read or
    /// written.
    ///
    /// - Throws: ``StoreError``: `incompatible` for the owner and superusers.
    public func verifyRole() async throws(StoreError) {
        // No user has this number.
        let answers = try await pool.perform([settle(0)], as: .reading)
        do throws(StoreError) {
            try verifyRowSecurity(answers)
        } catch {
            throw StoreError(.incompatible, error.detail)
        }
    }

    /// Why the server of the address accepts no changes.
    public enum WriteObstacle: Sendable, Hashable {
        /// The server is a standby.
        case standby
        /// `default_transaction_read_only` is on for the role, the database or the server.
        case readOnlyDefault
    }

    /// Reads why the server accepts no changes; nil if it accepts them.
    ///
    /// Reading works on such a server, so that only changes would tell.
    public func writeObstacle() async throws(StoreError) -> WriteObstacle? {
        let answers = try await pool.perform(
            [settle(.short), Statements.readAccessMode()],
            as: .reading
        )
        guard let row = answers[1].first else { return nil }
        if try row.bool(0) { return .standby }
        return try row.bool(1) ? .readOnlyDefault : nil
    }

    /// Refuses a role to which row-level security does not apply.
    func verifyRowSecurity(_ answers: [PostgreSQLRows]) throws(StoreError) {
        guard let row = answers.first?.first, try row.bool(4) else {
            throw StoreError(
                .unavailable,
                "\(location): this role bypasses row-level security: "
                    + "connect as a member of hoga_app"
            )
        }
    }

    static let readOnlyAddress = StoreError(
        .forbidden,
        "this program reads from a standby and makes no changes: "
            + "use an instance on the primary server"
    )

    func noUser(_ user: Int64) -> StoreError {
        StoreError(.unavailable, "\(location): no user \(user): see 'hoga user list'")
    }
}

extension Duration {
    /// In whole milliseconds, at least one, because zero means no limit.
    fileprivate var milliseconds: Int64 {
        max(1, components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)
    }

    /// In whole microseconds.
    var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
