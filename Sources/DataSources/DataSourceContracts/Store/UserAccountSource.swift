/// A store of users and their tokens, as those see it who look after a deployment.
///
/// Every call is one transaction. Names are told apart by their bytes. In a shared store only the
/// owner of the schema may make these calls; the embedded store has one user, `local`, who can be
/// neither added nor removed.
public protocol UserAccountSource: Sendable {
    /// All users by number, ascending.
    func users() async throws(StoreError) -> [UserDTO]

    /// Adds a user.
    ///
    /// - Throws: ``StoreError``: `conflict` when there is one of that name, `refused` where there
    ///   can be no other than one.
    func addUser(name: String, at: Int64) async throws(StoreError) -> UserDTO

    /// Lets a user's tokens open nothing any more, or open again what they did.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user.
    func setUser(name: String, isDisabled: Bool) async throws(StoreError)

    /// Removes a user with everything of theirs: settings, favourites, holdings, cash, tokens and
    /// the journal.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user, `refused` where one must stay.
    func removeUser(name: String) async throws(StoreError)

    /// Everything that is kept of a user, as of one moment.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user.
    func export(name: String) async throws(StoreError) -> UserExportDTO

    /// Keeps a new token of a user.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user, `tooMany` beyond `limit` tokens
    ///   that were not revoked.
    func addToken(
        _ token: NewTokenDTO,
        of name: String,
        limit: Int
    ) async throws(StoreError)
        -> TokenDTO

    /// The tokens of a user by number, ascending, revoked ones included.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a user.
    func tokens(of name: String) async throws(StoreError) -> [TokenDTO]

    /// Revokes a token; nothing if it was revoked before.
    ///
    /// - Throws: ``StoreError``: `notFound` without such a token.
    func revokeToken(number: Int64, at: Int64) async throws(StoreError)
}

/// Finds out who a token belongs to.
public protocol TokenStoreSource: Sendable {
    /// Looks a token up, and notes at most once a minute that it was used.
    ///
    /// - Parameters:
    ///   - sha256: the hash of the token's text, 32 bytes.
    ///   - at: the time, microseconds since 1970 UTC; a shared store goes by its own clock.
    /// - Returns: nil for a token that is unknown, revoked, expired, or of a disabled user.
    /// - Throws: ``StoreError`` when it cannot be looked up.
    func grant(sha256: [UInt8], at: Int64) async throws(StoreError) -> TokenGrantDTO?

    /// Looks several tokens up together; as ``grant(sha256:at:)`` does each.
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
    /// Looks several tokens up, one after the other: for stores where that costs nothing.
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
    /// Its number, from 1; never given twice.
    public var number: Int64
    /// The name that commands use.
    public var name: String
    /// When it was added, microseconds since 1970 UTC.
    public var addedAt: Int64
    /// Whether its tokens open nothing.
    public var isDisabled: Bool

    /// Makes a row.
    public init(number: Int64, name: String, addedAt: Int64, isDisabled: Bool) {
        self.number = number
        self.name = name
        self.addedAt = addedAt
        self.isDisabled = isDisabled
    }
}

/// A token to be kept: never the token itself.
public struct NewTokenDTO: Sendable, Hashable {
    /// The hash of its text, 32 bytes.
    public var sha256: [UInt8]
    /// `read` or `write`.
    public var scope: String
    /// When it was made, microseconds since 1970 UTC.
    public var madeAt: Int64
    /// From when on it opens nothing; nil for never.
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
    /// Its number, from 1; never given twice.
    public var number: Int64
    /// `read` or `write`.
    public var scope: String
    /// When it was made, microseconds since 1970 UTC.
    public var madeAt: Int64
    /// From when on it opens nothing; nil for never.
    public var expiresAt: Int64?
    /// When it was revoked; nil if it was not.
    public var revokedAt: Int64?
    /// When it was used, as of at most a minute ago; nil if it never was.
    public var usedAt: Int64?

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

/// What a token opens.
public struct TokenGrantDTO: Sendable, Hashable {
    /// The token's number.
    public var token: Int64
    /// The number of the user whose it is.
    public var user: Int64
    /// The name of that user.
    public var name: String
    /// `read` or `write`.
    public var scope: String
    /// From when on it opens nothing; nil for never.
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

/// Everything that is kept of one user.
public struct UserExportDTO: Sendable, Hashable {
    /// The row of `users`.
    public var user: UserDTO
    /// What is personal.
    public var personal: UserRecordDTO
    /// The tokens by number, without their hashes.
    public var tokens: [TokenDTO]
    /// The journal, oldest first.
    public var journal: [JournalDTO]

    /// Gathers an export.
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
