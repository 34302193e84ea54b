/// The users of a store and their tokens, for administration.
///
/// Each call is one transaction. Names are compared byte for byte. In a shared store only the owner
/// of the schema may make these calls. An embedded store has the one user `local`.
public protocol UserAccountSource: Sendable {
    /// All users by number, ascending.
    func users() async throws(StoreError) -> [UserDTO]

    /// Adds a user.
    ///
    /// - Throws: ``StoreError``: `conflict` when the name exists, `refused` by an embedded store.
    func addUser(name: String, at: Int64) async throws(StoreError) -> UserDTO

    /// Adds users in one transaction, or none if one of their names exists.
    ///
    /// - Returns: the names that exist, each at most once; none if all users were added.
    /// - Throws: ``StoreError``: `conflict` when another process adds one of them meanwhile,
    ///   `refused` by an embedded store.
    func addUsers(_ users: [NewUserDTO], at: Int64) async throws(StoreError) -> [String]

    /// Disables or enables a user. The tokens of a disabled user are invalid.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user.
    func setUser(name: String, isDisabled: Bool) async throws(StoreError)

    /// Removes a user with settings, favorites, holdings, cash, tokens and journal.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user, `refused` by an embedded store.
    func removeUser(name: String) async throws(StoreError)

    /// Exports all data of a user as of one moment.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user.
    func export(name: String) async throws(StoreError) -> UserExportDTO

    /// Adds a token of a user.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user, `tooMany` beyond `limit` tokens
    ///   that are valid.
    func addToken(
        _ token: NewTokenDTO,
        of name: String,
        limit: Int
    ) async throws(StoreError)
        -> TokenDTO

    /// Replaces a valid token by a new one of the same user, in one transaction.
    ///
    /// - Parameters:
    ///   - number: the number of the former token.
    ///   - until: when the former token ends, unless it ends before; not after `at`: it is revoked
    ///     at once.
    ///   - at: the time.
    ///   - limit: the maximum number of the user's valid tokens, afterwards.
    ///   - makeToken: makes the new token from the former one.
    /// - Returns: the new token.
    /// - Throws: ``StoreError``: `notFound` without such a token, `refused` if it is revoked or
    ///   expired, `tooMany` beyond `limit` tokens.
    func rotateToken(
        number: Int64,
        until: Int64,
        at: Int64,
        limit: Int,
        _ makeToken: @escaping @Sendable (TokenDTO) -> NewTokenDTO
    ) async throws(StoreError) -> TokenDTO

    /// The tokens of a user by number, ascending, including revoked ones.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user.
    func tokens(of name: String) async throws(StoreError) -> [TokenDTO]

    /// Revokes a token. A token that was revoked before stays as it is.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a token.
    func revokeToken(number: Int64, at: Int64) async throws(StoreError)
}

/// Looks tokens up.
public protocol TokenStoreSource: Sendable {
    /// Looks a token up and records its use at most once a minute.
    ///
    /// - Parameters:
    ///   - sha256: the hash of the token's text, 32 bytes.
    ///   - at: the time, microseconds since 1970 UTC; a shared store uses its own clock.
    /// - Returns: nil for a token that is unknown, revoked, expired, or of a disabled user.
    /// - Throws: ``StoreError`` when it cannot be looked up.
    func grant(sha256: [UInt8], at: Int64) async throws(StoreError) -> TokenGrantDTO?

    /// Looks several tokens up in one call; see ``grant(sha256:at:)``.
    ///
    /// - Parameters:
    ///   - sha256s: the hashes, each once.
    ///   - at: the time, as above.
    /// - Returns: an answer for each hash, in their order.
    /// - Throws: ``StoreError`` when one of them cannot be looked up.
    func grants(
        sha256s: [[UInt8]],
        at: Int64
    ) async throws(StoreError) -> [TokenGrantDTO?]
}

extension TokenStoreSource {
    /// Looks several tokens up one after the other, for stores without a round trip.
    ///
    /// - Throws: ``StoreError`` when one of them cannot be looked up.
    public func grants(
        sha256s: [[UInt8]],
        at time: Int64
    ) async throws(StoreError) -> [TokenGrantDTO?] {
        var grants: [TokenGrantDTO?] = []
        for sha256 in sha256s { grants.append(try await grant(sha256: sha256, at: time)) }
        return grants
    }
}

/// A row of `users`.
public struct UserDTO: Sendable, Hashable {
    /// The number from 1, never reused.
    public var number: Int64
    /// The name that commands use.
    public var name: String
    /// When it was added, microseconds since 1970 UTC.
    public var addedAt: Int64
    /// Whether the user is disabled.
    public var isDisabled: Bool

    /// Makes a row.
    public init(number: Int64, name: String, addedAt: Int64, isDisabled: Bool) {
        self.number = number
        self.name = name
        self.addedAt = addedAt
        self.isDisabled = isDisabled
    }
}

/// A user to add.
public struct NewUserDTO: Sendable, Hashable {
    /// The name that commands use.
    public var name: String
    /// The name that screens show; nil for none.
    public var displayName: String?

    /// Makes a row.
    public init(name: String, displayName: String?) {
        self.name = name
        self.displayName = displayName
    }
}

/// A token to store: its hash, never the token itself.
public struct NewTokenDTO: Sendable, Hashable {
    /// The hash of its text, 32 bytes.
    public var sha256: [UInt8]
    /// `read` or `write`.
    public var scope: String
    /// The creation time, microseconds since 1970 UTC.
    public var madeAt: Int64
    /// The expiry; nil for never.
    public var expiresAt: Int64?

    /// Makes a row.
    public init(sha256: [UInt8], scope: String, madeAt: Int64, expiresAt: Int64?) {
        self.sha256 = sha256
        self.scope = scope
        self.madeAt = madeAt
        self.expiresAt = expiresAt
    }
}

/// A row of `api_tokens`, without its hash.
public struct TokenDTO: Sendable, Hashable {
    /// The number from 1, never reused.
    public var number: Int64
    /// `read` or `write`.
    public var scope: String
    /// The creation time, microseconds since 1970 UTC.
    public var madeAt: Int64
    /// The expiry; nil for never.
    public var expiresAt: Int64?
    /// The time of the revocation; nil if it is not revoked.
    public var revokedAt: Int64?
    /// The last use, recorded at most once a minute; nil if it was never used.
    public var usedAt: Int64?

    /// Whether it opens the user's data.
    public func isValid(at time: Int64) -> Bool {
        revokedAt == nil && expiresAt.map { time < $0 } ?? true
    }

    /// Makes a row.
    public init(
        number: Int64,
        scope: String,
        madeAt: Int64,
        expiresAt: Int64?,
        revokedAt: Int64?,
        usedAt: Int64?
    ) {
        self.number = number
        self.scope = scope
        self.madeAt = madeAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.usedAt = usedAt
    }
}

/// The owner and scope of a token.
public struct TokenGrantDTO: Sendable, Hashable {
    /// The token's number.
    public var token: Int64
    /// The owner's number.
    public var user: Int64
    /// The owner's name.
    public var name: String
    /// `read` or `write`.
    public var scope: String
    /// The expiry; nil for never.
    public var expiresAt: Int64?

    /// Makes a grant.
    public init(token: Int64, user: Int64, name: String, scope: String, expiresAt: Int64?) {
        self.token = token
        self.user = user
        self.name = name
        self.scope = scope
        self.expiresAt = expiresAt
    }
}

/// All stored data of one user.
public struct UserExportDTO: Sendable, Hashable {
    /// The row of `users`.
    public var user: UserDTO
    /// The record.
    public var personal: UserRecordDTO
    /// The tokens by number, without their hashes.
    public var tokens: [TokenDTO]
    /// The journal, oldest first.
    public var journal: [JournalDTO]

    /// Makes an export.
    public init(
        user: UserDTO,
        personal: UserRecordDTO,
        tokens: [TokenDTO],
        journal: [JournalDTO]
    ) {
        self.user = user
        self.personal = personal
        self.tokens = tokens
        self.journal = journal
    }
}
