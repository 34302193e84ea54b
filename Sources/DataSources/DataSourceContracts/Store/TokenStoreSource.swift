/// Looks tokens up, and lists, makes and revokes tokens for the owner of one.
///
/// Calls for the owner name the asking token by its hash. It must be valid: not revoked or expired,
/// and of a user who is not disabled. A shared store uses its own clock in place of `at`.
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

    /// The valid tokens of the owner of a token, by number, ascending.
    ///
    /// - Throws: ``StoreError``: `unauthorized` if the asking token is invalid.
    func ownTokens(sha256: [UInt8], at: Int64) async throws(StoreError) -> [OwnTokenDTO]

    /// Adds a token of the owner of a token of scope `write`.
    ///
    /// - Parameters:
    ///   - token: the new token; it ends with the asking one at the latest.
    ///   - sha256: the hash of the asking token.
    ///   - limits: how many tokens the owner may have; a shared store knows lower ones.
    /// - Returns: the token, with its true end.
    /// - Throws: ``StoreError``: `unauthorized` if the asking token is invalid, `forbidden` if its
    ///   scope is `read`, `tooMany` beyond the limits.
    func addOwnToken(
        _ token: NewTokenDTO,
        by sha256: [UInt8],
        limits: TokenLimitsDTO
    ) async throws(StoreError) -> TokenDTO

    /// Revokes a token of the owner of a token of scope `write`.
    ///
    /// A token that was revoked before stays as it is.
    ///
    /// - Returns: false if the owner has no token of this number.
    /// - Throws: ``StoreError``: `unauthorized` if the asking token is invalid, `forbidden` if its
    ///   scope is `read`.
    func revokeOwnToken(
        number: Int64,
        by sha256: [UInt8],
        at: Int64
    ) async throws(StoreError) -> Bool
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
    /// The owner's note on the token; nil without one.
    public var note: String?

    /// Makes a row.
    public init(
        sha256: [UInt8],
        scope: String,
        madeAt: Int64,
        expiresAt: Int64?,
        note: String? = nil
    ) {
        self.sha256 = sha256
        self.scope = scope
        self.madeAt = madeAt
        self.expiresAt = expiresAt
        self.note = note
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
    /// The owner's note on the token; nil without one.
    public var note: String?

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
        usedAt: Int64?,
        note: String? = nil
    ) {
        self.number = number
        self.scope = scope
        self.madeAt = madeAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.usedAt = usedAt
        self.note = note
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

/// A valid token as its owner sees it.
public struct OwnTokenDTO: Sendable, Hashable {
    /// The token.
    public var token: TokenDTO
    /// Whether it is the asking token.
    public var isAsking: Bool

    /// Makes a row.
    public init(token: TokenDTO, isAsking: Bool) {
        self.token = token
        self.isAsking = isAsking
    }
}

/// How many tokens a user may have who makes them without an administrator.
public struct TokenLimitsDTO: Sendable, Hashable {
    /// The microseconds in a day.
    private static let day: Int64 = 86_400_000_000

    /// The maximum number of valid tokens.
    public var valid: Int
    /// The maximum number of tokens made within a day, because rows of revoked ones stay.
    public var perDay: Int

    /// Makes limits.
    public init(valid: Int, perDay: Int) {
        self.valid = valid
        self.perDay = perDay
    }

    /// Checks that another token may be made beside all tokens of the user.
    ///
    /// - Throws: ``StoreError`` `tooMany`.
    public func check(_ tokens: [TokenDTO], at time: Int64) throws(StoreError) {
        guard tokens.count(where: { $0.isValid(at: time) }) < valid else {
            throw .tooManyValidTokens(limit: valid)
        }
        guard tokens.count(where: { $0.madeAt > time - Self.day }) < perDay else {
            throw .tooManyNewTokens(limit: perDay)
        }
    }
}

extension StoreError {
    /// Only a valid token can be replaced.
    public static func invalidToken(_ number: Int64) -> StoreError {
        StoreError(
            .refused,
            "token \(number) is revoked or expired. Create a new one with 'hoga user token new'"
        )
    }

    /// The asking token is invalid.
    public static let invalidAskingToken = StoreError(
        .unauthorized,
        "the token is unknown, expired or revoked. Ask for a new one"
    )

    /// The asking token changes nothing.
    public static let readOnlyAskingToken = StoreError(
        .forbidden,
        "the token has scope read; changes need scope write"
    )

    /// The user has as many valid tokens as allowed.
    public static func tooManyValidTokens(limit: Int) -> StoreError {
        StoreError(.tooMany, "the limit of \(limit) tokens is reached. Revoke one first")
    }

    /// The user has made as many tokens as allowed.
    public static func tooManyNewTokens(limit: Int) -> StoreError {
        StoreError(
            .tooMany,
            "the limit of \(limit) new tokens within 24 hours is reached. Wait, or ask an "
                + "administrator for one"
        )
    }
}
