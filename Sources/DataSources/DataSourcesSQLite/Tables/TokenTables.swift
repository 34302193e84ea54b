import Cryptography
import DataSourceContracts

/// The tables of users and tokens, inside one transaction.
struct TokenTables {
    /// The shortest time between two recorded uses, in microseconds.
    static let useInterval: Int64 = 60_000_000

    let connection: SQLiteConnection

    // MARK: Users

    /// All users by number.
    func users() throws(StoreError) -> [UserDTO] {
        try connection.rows("SELECT id, name, added_at FROM users ORDER BY id") {
            row throws(StoreError) in
            UserDTO(
                number: row.integer(0),
                name: try row.text(1),
                addedAt: row.integer(2),
                isDisabled: false
            )
        }
    }

    /// The user of a name.
    ///
    /// - Throws: ``StoreError``: `notFound` without one.
    func user(named name: String) throws(StoreError) -> UserDTO {
        guard let user = try users().first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            throw StoreError(
                .notFound,
                "\(connection.path): no such user. An embedded store has the one user `local`"
            )
        }
        return user
    }

    // MARK: Tokens

    /// The tokens of a user by number.
    func tokens(of user: Int64) throws(StoreError) -> [TokenDTO] {
        try connection.rows(
            """
            SELECT id, scope, made_at, expires_at, revoked_at, used_at, note FROM api_tokens
            WHERE user_id = ?1 ORDER BY id
            """,
            [.integer(user)]
        ) { row throws(StoreError) in
            TokenDTO(
                number: row.integer(0),
                scope: try row.text(1),
                madeAt: row.integer(2),
                expiresAt: row.optionalInteger(3),
                revokedAt: row.optionalInteger(4),
                usedAt: row.optionalInteger(5),
                note: try row.optionalText(6)
            )
        }
    }

    /// A token and the number of its owner.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a token.
    func token(_ number: Int64) throws(StoreError) -> (token: TokenDTO, user: Int64) {
        let owners = try connection.rows(
            "SELECT user_id FROM api_tokens WHERE id = ?1",
            [.integer(number)]
        ) { $0.integer(0) }
        guard let user = owners.first,
            let token = try tokens(of: user).first(where: { $0.number == number })
        else { throw noToken }
        return (token, user)
    }

    /// Revokes a token, or lets it expire at `until` at the latest if that is after `time`.
    func end(_ number: Int64, until: Int64, at time: Int64) throws(StoreError) {
        guard until > time else { return try revoke(number, at: time) }
        try connection.run(
            """
            UPDATE api_tokens SET expires_at = min(coalesce(expires_at, ?2), ?2) WHERE id = ?1
            """,
            [.integer(number), .integer(until)]
        )
    }

    /// Adds a token unless the user has `limit` tokens that are valid when it is made.
    func add(_ token: NewTokenDTO, of user: Int64, limit: Int) throws(StoreError) -> TokenDTO {
        guard try tokens(of: user).count(where: { $0.isValid(at: token.madeAt) }) < limit else {
            throw .tooManyValidTokens(limit: limit)
        }
        return try add(token, of: user)
    }

    private func add(_ token: NewTokenDTO, of user: Int64) throws(StoreError) -> TokenDTO {
        try connection.run(
            """
            INSERT INTO api_tokens (user_id, token_sha256, scope, made_at, expires_at, note)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            [
                .integer(user), .text(Hexadecimal.text(of: token.sha256)), .text(token.scope),
                .integer(token.madeAt), .integer(ifAny: token.expiresAt),
                .text(ifAny: token.note),
            ]
        )
        guard let kept = try tokens(of: user).last else {
            preconditionFailure("A row that was written is there.")
        }
        return kept
    }

    /// Revokes a token.
    ///
    /// A token that was revoked before stays as it is.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a token.
    func revoke(_ number: Int64, at time: Int64) throws(StoreError) {
        try connection.run(
            "UPDATE api_tokens SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1",
            [.integer(number), .integer(time)]
        )
        guard connection.changedRows > 0 else { throw noToken }
    }

    private var noToken: StoreError {
        StoreError(
            .notFound,
            "\(connection.path): no such token. Run 'hoga user token list' to see the tokens"
        )
    }

    // MARK: Tokens of the owner of a token

    /// The valid tokens of the owner of a valid token.
    ///
    /// - Throws: ``StoreError``: `unauthorized` if the asking token is invalid.
    func ownTokens(sha256: [UInt8], at time: Int64) throws(StoreError) -> [OwnTokenDTO] {
        let asker = try asker(sha256, at: time)
        return try tokens(of: asker.user).filter { $0.isValid(at: time) }
            .map { OwnTokenDTO(token: $0, isAsking: $0.number == asker.token) }
    }

    /// Adds a token of the owner of a token, which ends with that one at the latest.
    ///
    /// - Throws: ``StoreError``: `unauthorized`, `forbidden`, `tooMany`.
    func addOwn(
        _ token: NewTokenDTO,
        by sha256: [UInt8],
        limits: TokenLimitsDTO
    ) throws(StoreError) -> TokenDTO {
        let asker = try changingAsker(sha256, at: token.madeAt)
        try limits.check(try tokens(of: asker.user), at: token.madeAt)
        var token = token
        token.expiresAt = [token.expiresAt, asker.expiresAt].compactMap(\.self).min()
        return try add(token, of: asker.user)
    }

    /// Revokes a token of the owner of a token; false if the owner has none of this number.
    ///
    /// - Throws: ``StoreError``: `unauthorized`, `forbidden`.
    func revokeOwn(
        _ number: Int64,
        by sha256: [UInt8],
        at time: Int64
    ) throws(StoreError) -> Bool {
        let asker = try changingAsker(sha256, at: time)
        guard try tokens(of: asker.user).contains(where: { $0.number == number }) else {
            return false
        }
        try revoke(number, at: time)
        return true
    }

    private func asker(_ sha256: [UInt8], at time: Int64) throws(StoreError) -> TokenGrantDTO {
        guard let found = try grant(sha256: sha256, at: time) else { throw .invalidAskingToken }
        return found.grant
    }

    private func changingAsker(
        _ sha256: [UInt8],
        at time: Int64
    ) throws(StoreError) -> TokenGrantDTO {
        let asker = try asker(sha256, at: time)
        guard asker.scope == "write" else { throw .readOnlyAskingToken }
        return asker
    }

    // MARK: Looking up

    /// The grant of a token and whether its use was recorded lately; nil for an invalid token.
    func grant(
        sha256: [UInt8],
        at time: Int64
    ) throws(StoreError) -> (grant: TokenGrantDTO, isNoted: Bool)? {
        let wanted = Array(Hexadecimal.text(of: sha256).utf8)
        let rows = try connection.rows(
            """
            SELECT tokens.token_sha256, tokens.id, users.id, users.name, tokens.scope,
                tokens.expires_at, tokens.used_at
            FROM api_tokens AS tokens JOIN users ON users.id = tokens.user_id
            WHERE tokens.revoked_at IS NULL
                AND (tokens.expires_at IS NULL OR tokens.expires_at > ?1)
            """,
            [.integer(time)]
        ) { row throws(StoreError) in
            let grant = TokenGrantDTO(
                token: row.integer(1),
                user: row.integer(2),
                name: try row.text(3),
                scope: try row.text(4),
                expiresAt: row.optionalInteger(5)
            )
            let used = row.optionalInteger(6)
            return (
                hash: Array(try row.text(0).utf8), grant: grant,
                // A use in the future was recorded before the clock was set back.
                isNoted: used.map { (0..<Self.useInterval).contains(time - $0) } ?? false
            )
        }
        // Compares all rows in constant time. An index lookup would leak how much of a guess
        // matches.
        var found: (grant: TokenGrantDTO, isNoted: Bool)?
        for row in rows where Cryptography.isEqualInConstantTime(row.hash, wanted) {
            found = (row.grant, row.isNoted)
        }
        return found
    }

    /// Records a use of a token.
    func noteUse(of token: Int64, at time: Int64) throws(StoreError) {
        try connection.run(
            "UPDATE api_tokens SET used_at = ?2 WHERE id = ?1",
            [.integer(token), .integer(time)]
        )
    }
}

/// As its connection.
@available(*, unavailable)
extension TokenTables: Sendable {}
