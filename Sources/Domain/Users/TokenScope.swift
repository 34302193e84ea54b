/// The permissions of a token.
public enum TokenScope: String, Sendable, Hashable, CaseIterable {
    /// Reads the record of its user.
    case read
    /// Reads and changes the record of its user.
    case write

    /// Whether the token may make changes.
    public var allowsChanges: Bool {
        switch self {
        case .read: false
        case .write: true
        }
    }
}

/// The owner and permissions of a token when it was looked up.
public struct TokenGrant: Sendable, Hashable {
    /// The owner.
    public var user: UserID
    /// The owner's name.
    public var name: String
    /// The permissions.
    public var scope: TokenScope
    /// The time from which it is invalid; nil for never.
    public var expiresAt: Timestamp?

    /// Makes a grant.
    public init(user: UserID, name: String, scope: TokenScope, expiresAt: Timestamp?) {
        self.user = user
        self.name = name
        self.scope = scope
        self.expiresAt = expiresAt
    }

    /// Whether the token has not expired.
    ///
    /// The token is invalid at `expiresAt` itself.
    public func isValid(at time: Timestamp) -> Bool {
        expiresAt.map { time < $0 } ?? true
    }
}
