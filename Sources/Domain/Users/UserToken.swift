/// A valid token as its owner sees it: never its text.
public struct UserToken: Sendable, Hashable {
    /// The maximum number of valid tokens of a user.
    public static let validMax = 100
    /// The maximum number of tokens that a user makes within a day.
    ///
    /// Rows of revoked tokens stay in the store, and each token is noted in the audit trail.
    public static let perDayMax = 100

    /// The number from 1, never reused.
    public var number: Int64
    /// The permissions; nil for those of a newer version.
    public var scope: TokenScope?
    /// When it was made.
    public var createdAt: Timestamp
    /// The time from which it is invalid; nil for never.
    public var expiresAt: Timestamp?
    /// The last use, recorded at most once a minute; nil if it was never used.
    public var lastUsedAt: Timestamp?
    /// The owner's note on the token; nil without one.
    public var note: String?
    /// Whether the owner asked with it.
    public var isCurrent: Bool

    /// Makes a token.
    public init(
        number: Int64,
        scope: TokenScope?,
        createdAt: Timestamp,
        expiresAt: Timestamp?,
        lastUsedAt: Timestamp?,
        note: String?,
        isCurrent: Bool
    ) {
        self.number = number
        self.scope = scope
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.note = note
        self.isCurrent = isCurrent
    }
}

/// A token that a user makes.
public struct NewUserToken: Sendable, Hashable {
    /// The hash of its text.
    public var hash: TokenHash
    /// The permissions.
    public var scope: TokenScope
    /// The time from which it is invalid; nil for as long as the token that makes it.
    public var expiresAt: Timestamp?
    /// The owner's note on the token; nil without one.
    public var note: String?

    /// Makes a token.
    public init(hash: TokenHash, scope: TokenScope, expiresAt: Timestamp?, note: String?) {
        self.hash = hash
        self.scope = scope
        self.expiresAt = expiresAt
        self.note = note
    }
}
