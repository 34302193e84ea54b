public import DataSourceContracts

/// The users of a deployment and their tokens, as the owner of the schema sees them.
///
/// Whose things were changed here is told to the instances as any other change is.
public struct PostgreSQLUserAccounts: UserAccountSource {
    private let pool: PostgreSQLPool

    /// Looks after the users of a database.
    ///
    /// - Parameter pool: its address names the role that owns the schema.
    public init(pool: PostgreSQLPool) { self.pool = pool }

    /// Looks whether this is the role of the owner, or one that may do the same.
    ///
    /// From any other role rows are hidden, and it would seem that nobody is there.
    ///
    /// - Throws: ``StoreError`` with `unavailable` as another role. A database without tables is
    ///   nobody's: ``PostgreSQLSchema/verify()`` tells what it lacks.
    public func verifyOwner() async throws(StoreError) {
        let rows = try await pool.perform([UserAccountStatements.isOwner()], as: .reading)[0]
        guard let row = rows.first, try !row.bool(0) else { return }
        throw StoreError(
            .unavailable,
            "\(pool.address): this role may not look after users: connect as the owner of the "
                + "tables, the role that runs hoga migrate up"
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
    /// - Throws: ``StoreError``: `conflict` when there is one of that name, `refused` for no name.
    public func addUser(name: String, at time: Int64) async throws(StoreError) -> UserDTO {
        try CanonicalValues.check(time: time, "the time of adding a user")
        guard !name.isEmpty, name.utf8.count <= Self.nameBytesMax else {
            throw StoreError(
                .refused,
                "a name has 1 to \(Self.nameBytesMax) bytes: give another one"
            )
        }
        let rows = try await write(UserAccountStatements.add(.text(name), .time(time)))
        guard let row = rows.first else {
            throw StoreError(.conflict, "there is a user of that name: give another one")
        }
        return try UserDTO(row)
    }

    /// Lets a user's tokens open nothing any more, or open again what they did.
    public func setUser(name: String, isDisabled: Bool) async throws(StoreError) {
        let rows = try await write(UserAccountStatements.disable(.text(name), .bool(isDisabled)))
        guard rows.changedRows == 1 else { throw Self.noUser(name) }
    }

    /// Removes a user with everything of theirs, and tells the instances.
    public func removeUser(name: String) async throws(StoreError) {
        let rows = try await write(UserAccountStatements.remove(.text(name)))
        guard !rows.isEmpty else { throw Self.noUser(name) }
    }

    /// Everything that is kept of a user, as of one moment.
    public func export(name: String) async throws(StoreError) -> UserExportDTO {
        try await verifyOwner()
        return try await pool.transaction { transaction async throws(StoreError) in
            // One snapshot for all that follows.
            _ = try await transaction.perform([UserAccountStatements.asOfOneMoment()])
            let found = try await transaction.perform([UserAccountStatements.user(.text(name))])[0]
            guard let row = found.first else { throw Self.noUser(name) }
            let user = try UserDTO(row)
            let number = PostgreSQLValue.integer(user.number)
            let answers = try await transaction.perform([
                Statements.readUserRecord(number), UserAccountStatements.tokens(number),
                Statements.readJournal(number, .integer(.max)),
            ])
            guard let personal = try UserRecordDTO.read(answers[0]) else {
                throw Self.noUser(name)
            }
            var export = UserExportDTO(user: user, personal: personal, tokens: [], journal: [])
            for row in answers[1] { export.tokens.append(try TokenDTO(row)) }
            for row in answers[2].reversed() { export.journal.append(try JournalDTO(row)) }
            return export
        }
    }

    // MARK: Tokens

    /// Keeps a new token of a user.
    public func addToken(
        _ token: NewTokenDTO,
        of name: String,
        limit: Int
    ) async throws(StoreError) -> TokenDTO {
        try CanonicalValues.check(time: token.madeAt, "the time of making a token")
        try CanonicalValues.check(time: token.expiresAt, "the end of a token")
        guard token.sha256.count == 32, ["read", "write"].contains(token.scope) else {
            throw StoreError(.refused, "a token has a hash of 32 bytes and opens read or write")
        }
        try await verifyOwner()
        return try await pool.transaction { transaction async throws(StoreError) in
            // The lock first: of two tokens at once the second counts the first.
            let found = try await transaction.perform([UserAccountStatements.lock(.text(name))])[0]
            guard let row = found.first else { throw Self.noUser(name) }
            let number = PostgreSQLValue.integer(try row.integer(0))
            let counted = try await transaction.perform([UserAccountStatements.countTokens(number)]
            )[0]
            guard let count = counted.first, try count.integer(0) < Int64(limit) else {
                throw StoreError(
                    .tooMany,
                    "there are \(limit) tokens already: revoke one of them first"
                )
            }
            let added = try await transaction.perform([
                UserAccountStatements.addToken(
                    number,
                    .bytes(token.sha256),
                    .text(token.scope),
                    .time(token.madeAt),
                    .time(ifAny: token.expiresAt)
                )
            ])[0]
            guard let row = added.first else { throw Self.noUser(name) }
            return try TokenDTO(row)
        }
    }

    /// The tokens of a user by number, ascending, revoked ones included.
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

    /// Revokes a token; nothing if it was revoked before.
    public func revokeToken(number: Int64, at time: Int64) async throws(StoreError) {
        try CanonicalValues.check(time: time, "the time of revoking a token")
        let rows = try await write(UserAccountStatements.revoke(.integer(number), .time(time)))
        guard rows.changedRows == 1 else {
            throw StoreError(
                .notFound,
                "there is no token \(number): `hoga user token list` names those of a user"
            )
        }
    }

    // MARK: For the calls

    /// The longest name: it has to fit into an index.
    private static let nameBytesMax = 512

    private static func noUser(_ name: String) -> StoreError {
        StoreError(
            .notFound,
            "there is no user of the name \"\(name)\": `hoga user list` names those that there are"
        )
    }

    private func read(_ statement: PostgreSQLStatement) async throws(StoreError) -> PostgreSQLRows {
        try await verifyOwner()
        return try await pool.perform([statement], as: .reading)[0]
    }

    private func write(_ statement: PostgreSQLStatement) async throws(StoreError) -> PostgreSQLRows
    {
        try await verifyOwner()
        return try await pool.perform([statement], as: .writing)[0]
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
    fileprivate init(_ row: PostgreSQLRows.Row) throws(StoreError) {
        self.init(
            number: try row.integer(0),
            scope: try row.text(1),
            madeAt: try row.time(2),
            expiresAt: try row.optionalTime(3),
            revokedAt: try row.optionalTime(4),
            usedAt: try row.optionalTime(5)
        )
    }
}
