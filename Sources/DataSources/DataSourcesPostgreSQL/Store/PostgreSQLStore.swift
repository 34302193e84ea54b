public import DataSourceContracts

/// The store of a deployment: one database, which any number of instances share.
///
/// It works as a member of `hoga_app`, for whom row-level security holds: each transaction sees the
/// rows of the user that it names. Personal things are written by everybody, market data only
/// through ``fenced(by:)``.
public final class PostgreSQLStore: UserRecordSource, TokenStoreSource {
    /// What a transaction may take, so that one that hangs holds nobody up.
    struct TransactionTimeouts: Sendable {
        /// How long one statement may take.
        var statement: Duration
        /// How long a statement may wait for a lock.
        var lock: Duration
        /// How long the transaction may be left alone.
        ///
        /// A process that was stopped, or cut off, holds its locks no longer: another one can take
        /// the lease over then.
        var idle = Duration.seconds(2)

        /// For what is personal: it holds up nobody but its user, and a busy machine may take its
        /// time between two round trips.
        static let personal = TransactionTimeouts(
            statement: .seconds(4),
            lock: .seconds(2),
            idle: .seconds(10)
        )
        /// For what is small and everybody's.
        static let short = TransactionTimeouts(statement: .seconds(4), lock: .seconds(2))
        /// For what the holder of a lease writes again and again.
        ///
        /// A holder that is stopped, or cut off, sends nothing more; what it has sent runs on, with
        /// the lease locked. Another writes within five seconds all the same. A round trip has one
        /// statement that may take long, which ends 1.5 s after the stop, and the transaction is
        /// left alone for 2 s then: the lock is gone after 3.5 s. The lease itself runs out 3 s
        /// after it was renewed last, and is asked for each 0.25 s, by a call that waits for the
        /// lock up to 1 s: it is taken about 3.75 s after the stop, and the first write has 1.25 s
        /// left to take its own way. What is done once an hour, for the time or of very many
        /// candles at once, has ``long`` instead.
        static let leading = TransactionTimeouts(statement: .milliseconds(1_500), lock: .seconds(1))
        /// For what concerns many candles.
        static let long = TransactionTimeouts(statement: .seconds(30), lock: .seconds(5))
        /// For a round trip in all that has ``long``.
        static let longest = Duration.seconds(40)

        /// As parameters, in their order.
        func values(times factor: Int) -> [PostgreSQLValue] {
            [statement, lock, idle].map { .text("\(($0 * factor).milliseconds)ms") }
        }
    }

    let pool: PostgreSQLPool
    private let slowness: Int

    /// Makes a store.
    ///
    /// - Parameter pool: its address names a member of the role `hoga_app`.
    public convenience init(pool: PostgreSQLPool) { self.init(pool: pool, slowness: 1) }

    /// Makes a store for a machine so many times as slow: what it lets transactions take grows
    /// with that.
    init(pool: PostgreSQLPool, slowness: Int) {
        self.pool = pool
        self.slowness = slowness
    }

    /// Where the database is; never with a password.
    public var location: String { "\(pool.address)" }

    // MARK: Records

    /// Reads the record of a user as of one moment, in one round trip.
    ///
    /// - Throws: ``StoreError``: `unavailable` when there is no such user.
    public func record(of user: Int64) async throws(StoreError) -> UserRecordDTO {
        let answers = try await pool.perform(
            [settle(user), Statements.readUserRecord(.integer(user))],
            as: .reading
        )
        try verifyRowSecurity(answers)
        guard let record = try UserRecordDTO.read(answers[1]) else { throw noUser(user) }
        return record
    }

    /// Changes the record of a user and appends a row to the journal, which keeps 10,000 rows.
    ///
    /// - Throws: ``StoreError``: `refused` for an amount that is not a canonical decimal and for a
    ///   time outside the years 1 to 9999; else as the protocol says.
    public func update(
        _ user: Int64,
        entry: NewJournalDTO,
        _ change: @Sendable (UserRecordDTO) throws(StoreError) -> UserRecordDTO
    ) async throws(StoreError) -> UserRecordDTO {
        try CanonicalValues.check(time: entry.at, "the time of a change")
        return try await pool.transaction { transaction async throws(StoreError) in
            // The row lock comes first: the record read after it cannot change until the commit.
            let answers = try await transaction.perform([
                self.settle(user), Statements.lockUser(.integer(user)),
                Statements.readUserRecord(.integer(user)),
            ])
            try self.verifyRowSecurity(answers)
            guard let record = try UserRecordDTO.read(answers[2]) else { throw self.noUser(user) }
            let difference = UserRecordDifference(from: record, to: try change(record))
            guard !difference.isEmpty else { return record }
            let written = try await transaction.perform(
                try Statements.write(difference, of: user, entry) + [
                    Statements.readUserRecord(.integer(user))
                ]
            )
            guard let rows = written.last, let changed = try UserRecordDTO.read(rows) else {
                throw self.noUser(user)
            }
            return changed
        }
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

    /// Checks that a change could be written: locks the user's row without waiting and rewrites it.
    public func checkWriting(of user: Int64) async throws(StoreError) {
        let answers = try await pool.perform(
            [
                settle(user), Statements.lockUserNow(.integer(user)),
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

    // MARK: Tokens

    /// Looks a token up by the server's clock, and notes at most once a minute that it was used.
    public func grant(sha256: [UInt8], at: Int64) async throws(StoreError) -> TokenGrantDTO? {
        // Noting a use twice does no harm: it may be sent again.
        let answers = try await pool.perform(
            [settle(.short), Statements.findToken(.bytes(sha256))],
            as: .reading
        )
        guard let row = answers[1].first else { return nil }
        return try TokenGrantDTO(row, from: 0)
    }

    /// Looks tokens up in one round trip.
    public func grants(
        sha256s: [[UInt8]],
        at: Int64
    ) async throws(StoreError) -> [TokenGrantDTO?] {
        let answers = try await pool.perform(
            [
                settle(.short),
                Statements.findTokens(.texts(sha256s.map { Self.hexadecimal($0) })),
            ],
            as: .reading
        )
        var grants = [TokenGrantDTO?](repeating: nil, count: sha256s.count)
        for row in answers[1] {
            let place = Int(try row.integer(0)) - 1
            guard grants.indices.contains(place) else { continue }
            grants[place] = try TokenGrantDTO(row, from: 1)
        }
        return grants
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: For the calls

    /// How long a round trip may take in all that has the long patience.
    var longestTimeout: Duration { TransactionTimeouts.longest * slowness }

    /// The first statement of a transaction that is nobody's in particular.
    func settle(_ patience: TransactionTimeouts) -> PostgreSQLStatement {
        Statements.settle(values: patience.values(times: slowness))
    }

    private func settle(_ user: Int64) -> PostgreSQLStatement {
        Statements.settleUser(
            values: [.text("\(user)")] + TransactionTimeouts.personal.values(times: slowness)
        )
    }

    /// Looks whether the rows of others are hidden from the role of the address, without which
    /// nothing personal is read or written.
    ///
    /// - Throws: ``StoreError``: `incompatible` when they are not, for the owner and superusers.
    public func verifyRole() async throws(StoreError) {
        // The number of nobody.
        let answers = try await pool.perform([settle(0)], as: .reading)
        do throws(StoreError) {
            try verifyRowSecurity(answers)
        } catch {
            throw StoreError(.incompatible, error.detail)
        }
    }

    /// Refuses to work as a role from whom nobody's rows are hidden.
    private func verifyRowSecurity(_ answers: [PostgreSQLRows]) throws(StoreError) {
        guard let row = answers.first?.first, try row.bool(4) else {
            throw StoreError(
                .unavailable,
                "\(location): everybody's rows are open to this role: "
                    + "connect as a member of hoga_app"
            )
        }
    }

    private func noUser(_ user: Int64) -> StoreError {
        StoreError(.unavailable, "\(location): it has no user \(user): hoga user list tells whom")
    }
}

extension Duration {
    /// In whole milliseconds; at least one, because zero stands for no bound.
    fileprivate var milliseconds: Int64 {
        max(1, components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)
    }

    /// In whole microseconds.
    var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}

extension TokenGrantDTO {
    /// Reads the columns from a place on.
    fileprivate init(_ row: PostgreSQLRows.Row, from place: Int) throws(StoreError) {
        self.init(
            token: try row.integer(place),
            user: try row.integer(place + 1),
            name: try row.text(place + 2),
            scope: try row.text(place + 3),
            expiresAt: try row.optionalTime(place + 4)
        )
    }
}
