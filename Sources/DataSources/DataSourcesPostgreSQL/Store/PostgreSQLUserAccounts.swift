public import DataSourceContracts

/// The users of a deployment and their tokens, for the owner of the schema.
///
/// Changes notify the instances, as changes of records do.
public struct PostgreSQLUserAccounts: UserAccountSource, AuditSource {
    private let pool: PostgreSQLPool
    private let administrator: String

    /// Makes a source over a pool.
    ///
    /// - Parameters:
    ///   - pool: connects as the role that owns the schema.
    ///   - administrator: the person who acts, for the audit trail; nil if not known.
    public init(pool: PostgreSQLPool, administrator: String? = nil) {
        self.pool = pool
        self.administrator = administrator ?? ""
    }

    /// Checks that the role has the rights of the owner.
    ///
    /// Row-level security hides all rows from other roles, so that the database would seem empty.
    ///
    /// - Throws: ``StoreError`` `unavailable` for another role. A database without tables passes:
    ///   ``PostgreSQLSchema/verify()`` reports it.
    public func verifyOwner() async throws(StoreError) {
        let rows = try await pool.perform([UserAccountStatements.isOwner()], as: .reading)[0]
        guard let row = rows.first, try !row.bool(0) else { return }
        throw StoreError(
            .unavailable,
            "\(pool.address): this role cannot manage users or dump their data. "
                + "Connect as the owner of the tables, which runs 'hoga migrate up'"
        )
    }

    /// All users by number, ascending.
    public func users() async throws(StoreError) -> [UserDTO] {
        var users: [UserDTO] = []
        for row in try await read(UserAccountStatements.users()) { users.append(try UserDTO(row)) }
        return users
    }

    /// Adds a user.
    ///
    /// - Throws: ``StoreError``: `conflict` when the name exists, `refused` for an empty or too
    ///   long name.
    public func addUser(name: String, at time: Int64) async throws(StoreError) -> UserDTO {
        try CanonicalValues.check(time: time, "the time of adding a user")
        guard Self.isName(name) else { throw Self.invalidName }
        let rows = try await write(UserAccountStatements.add(.text(name), .time(time)))
        guard let row = rows.first else {
            throw StoreError(.conflict, "the user exists. Choose another name")
        }
        return try UserDTO(row)
    }

    /// Adds users in one transaction, or none if one of their names exists.
    ///
    /// - Throws: ``StoreError``: `conflict` when another process adds one of them meanwhile,
    ///   `refused` for an empty or too long name.
    public func addUsers(
        _ users: [NewUserDTO],
        at time: Int64
    ) async throws(StoreError) -> [String] {
        try CanonicalValues.check(time: time, "the time of adding users")
        guard users.allSatisfy({ Self.isName($0.name) }) else { throw Self.invalidName }
        try await verifyOwner()
        let names = PostgreSQLValue.texts(users.map(\.name))
        return try await pool.transaction { transaction async throws(StoreError) in
            let found = try await transaction.perform([
                UserAccountStatements.stateAdministrator(.text(administrator)),
                UserAccountStatements.existing(names),
            ])[1]
            var existing: [String] = []
            for row in found { existing.append(try row.text(0)) }
            guard existing.isEmpty else { return existing }
            let added = try await transaction.perform([
                UserAccountStatements.addAll(
                    names,
                    .texts(users.map(\.displayName)),
                    .time(time)
                )
            ])[0]
            // Thrown, so that nothing is committed.
            guard added.changedRows == users.count else {
                throw StoreError(.conflict, "users were added meanwhile. Run the import again")
            }
            return []
        }
    }

    /// Disables or enables a user.
    ///
    /// The tokens of a disabled user are invalid.
    public func setUser(name: String, isDisabled: Bool) async throws(StoreError) {
        let rows = try await write(UserAccountStatements.disable(.text(name), .bool(isDisabled)))
        guard rows.changedRows == 1 else { throw Self.noUser(name) }
    }

    /// Removes a user with all data and notifies the instances.
    public func removeUser(name: String) async throws(StoreError) {
        let rows = try await write(UserAccountStatements.remove(.text(name)))
        guard !rows.isEmpty else { throw Self.noUser(name) }
    }

    /// Exports all data of a user as of one moment.
    public func export(name: String) async throws(StoreError) -> UserExportDTO {
        try await verifyOwner()
        return try await pool.transaction { transaction async throws(StoreError) in
            // All following reads use one snapshot.
            _ = try await transaction.perform([UserAccountStatements.asOfOneMoment()])
            let found = try await transaction.perform([UserAccountStatements.user(.text(name))])[0]
            guard let row = found.first else { throw Self.noUser(name) }
            let user = try UserDTO(row)
            let number = PostgreSQLValue.integer(user.number)
            let answers = try await transaction.perform([
                Statements.readUserRecord(number, Statements.logRowsMax),
                UserAccountStatements.tokens(number),
                Statements.readJournal(number, .integer(.max)),
                Statements.readAlertLog(number, .null, .integer(.max)),
                Statements.readWebhook(number), Statements.readDeadLetters(number, .integer(.max)),
            ])
            guard let personal = try UserRecordDTO.read(answers[0]) else {
                throw Self.noUser(name)
            }
            var export = UserExportDTO(
                user: user,
                personal: personal,
                tokens: [],
                journal: [],
                alertLog: [],
                webhook: try WebhookDTO.read(answers[4], deadLetters: answers[5])
            )
            for row in answers[1] { export.tokens.append(try TokenDTO(row)) }
            for row in answers[2].reversed() { export.journal.append(try JournalDTO(row)) }
            for row in answers[3].reversed() { export.alertLog.append(try AlertLogDTO(row)) }
            return export
        }
    }

    // MARK: Tokens

    /// Adds a token of a user.
    public func addToken(
        _ token: NewTokenDTO,
        of name: String,
        limit: Int
    ) async throws(StoreError) -> TokenDTO {
        try Self.check(token)
        try await verifyOwner()
        return try await pool.transaction { transaction async throws(StoreError) in
            // The lock comes first, so that concurrent calls count each other's tokens.
            let found = try await transaction.perform([
                UserAccountStatements.stateAdministrator(.text(administrator)),
                UserAccountStatements.lock(.text(name)),
            ])[1]
            guard let row = found.first else { throw Self.noUser(name) }
            return try await Self.add(token, of: try row.integer(0), limit: limit, in: transaction)
        }
    }

    /// Replaces a valid token by a new one of the same user, in one transaction.
    public func rotateToken(
        number: Int64,
        until: Int64,
        at time: Int64,
        limit: Int,
        _ makeToken: @escaping @Sendable (TokenDTO) -> NewTokenDTO
    ) async throws(StoreError) -> TokenDTO {
        try CanonicalValues.check(time: time, "the time of rotating a token")
        try CanonicalValues.check(time: until, "the end of a token")
        try await verifyOwner()
        return try await pool.transaction { transaction async throws(StoreError) in
            let key = PostgreSQLValue.integer(number)
            let found = try await transaction.perform([
                UserAccountStatements.stateAdministrator(.text(administrator)),
                UserAccountStatements.lockOwner(key),
            ])[1]
            guard let row = found.first else { throw Self.noToken(number) }
            let former = try TokenDTO(row)
            guard former.isValid(at: time) else { throw StoreError.invalidToken(number) }
            let new = makeToken(former)
            try Self.check(new)
            let end =
                until > time
                ? UserAccountStatements.expire(key, .time(until))
                : UserAccountStatements.revoke(key, .time(time))
            _ = try await transaction.perform([end])
            return try await Self.add(new, of: try row.integer(7), limit: limit, in: transaction)
        }
    }

    static func check(_ token: NewTokenDTO) throws(StoreError) {
        try CanonicalValues.check(time: token.madeAt, "the time of making a token")
        try CanonicalValues.check(time: token.expiresAt, "the end of a token")
        guard token.sha256.count == 32, ["read", "write"].contains(token.scope) else {
            throw StoreError(.refused, "a token needs a 32-byte hash and the scope read or write")
        }
    }

    /// Adds a token of a locked user.
    private static func add(
        _ token: NewTokenDTO,
        of user: Int64,
        limit: Int,
        in transaction: PostgreSQLTransaction
    ) async throws(StoreError) -> TokenDTO {
        let number = PostgreSQLValue.integer(user)
        let counted = try await transaction.perform([
            UserAccountStatements.countTokens(number, .time(token.madeAt))
        ])[0]
        guard let count = counted.first, try count.integer(0) < Int64(limit) else {
            throw .tooManyValidTokens(limit: limit)
        }
        let added = try await transaction.perform([
            UserAccountStatements.addToken(
                number,
                .bytes(token.sha256),
                .text(token.scope),
                .time(token.madeAt),
                .time(ifAny: token.expiresAt),
                .text(ifAny: token.note)
            )
        ])[0]
        guard let row = added.first else {
            preconditionFailure("A row that was written is returned.")
        }
        return try TokenDTO(row)
    }

    /// The tokens of a user by number, ascending, including revoked ones.
    public func tokens(of name: String) async throws(StoreError) -> [TokenDTO] {
        guard let row = try await read(UserAccountStatements.user(.text(name))).first else {
            throw Self.noUser(name)
        }
        var tokens: [TokenDTO] = []
        for row in try await read(UserAccountStatements.tokens(.integer(try row.integer(0)))) {
            tokens.append(try TokenDTO(row))
        }
        return tokens
    }

    /// Revokes a token.
    ///
    /// A token that was revoked before stays as it is.
    public func revokeToken(number: Int64, at time: Int64) async throws(StoreError) {
        try CanonicalValues.check(time: time, "the time of revoking a token")
        let rows = try await write(UserAccountStatements.revoke(.integer(number), .time(time)))
        guard rows.changedRows == 1 else { throw Self.noToken(number) }
    }

    // MARK: Audit trail

    /// The audit trail, oldest row first.
    public func audit(_ filter: AuditFilter) async throws(StoreError) -> [AuditDTO] {
        try CanonicalValues.check(time: filter.from, "the first time of the audit trail")
        try CanonicalValues.check(time: filter.to, "the last time of the audit trail")
        let rows = try await read(
            UserAccountStatements.audit(
                .text(ifAny: filter.user),
                .time(ifAny: filter.from),
                .time(ifAny: filter.to),
                .integer(Int64(filter.rowsMax))
            )
        )
        var audit: [AuditDTO] = []
        for row in rows { audit.append(try AuditDTO(row)) }
        return audit.reversed()
    }

    // MARK: Calls

    /// The longest name in bytes; it has to fit into an index.
    private static let nameBytesMax = 512

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= nameBytesMax
    }

    private static let invalidName = StoreError(
        .refused,
        "the name must have 1 to \(nameBytesMax) bytes"
    )

    private static func noToken(_ number: Int64) -> StoreError {
        StoreError(
            .notFound,
            "no token \(number). Run 'hoga user token list' to see a user's tokens"
        )
    }

    private static func noUser(_ name: String) -> StoreError {
        StoreError(
            .notFound,
            "no user '\(name)'. Run 'hoga user list' to see the users"
        )
    }

    private func read(_ statement: PostgreSQLStatement) async throws(StoreError) -> PostgreSQLRows {
        try await verifyOwner()
        return try await pool.perform([statement], as: .reading)[0]
    }

    private func write(_ statement: PostgreSQLStatement) async throws(StoreError) -> PostgreSQLRows
    {
        try await verifyOwner()
        return try await pool.perform(
            [UserAccountStatements.stateAdministrator(.text(administrator)), statement],
            as: .writing
        )[1]
    }
}

extension UserDTO {
    fileprivate init(_ row: PostgreSQLRows.Row) throws(StoreError) {
        self.init(
            number: try row.integer(0),
            name: try row.text(1),
            addedAt: try row.time(2),
            isDisabled: try row.bool(3)
        )
    }
}

extension TokenDTO {
    /// Reads the first columns.
    init(_ row: PostgreSQLRows.Row) throws(StoreError) {
        self.init(
            number: try row.integer(0),
            scope: try row.text(1),
            madeAt: try row.time(2),
            expiresAt: try row.optionalTime(3),
            revokedAt: try row.optionalTime(4),
            usedAt: try row.optionalTime(5),
            note: try row.optionalText(6)
        )
    }
}

extension AuditDTO {
    fileprivate init(_ row: PostgreSQLRows.Row) throws(StoreError) {
        self.init(
            number: try row.integer(0),
            at: try row.time(1),
            role: try row.text(2),
            administrator: try row.optionalText(3),
            action: try row.text(4),
            user: try row.optionalInteger(5),
            subject: try row.text(6),
            token: try row.optionalInteger(7),
            detailsJSON: try row.text(8)
        )
    }
}
