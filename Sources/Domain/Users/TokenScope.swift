/// What a token opens.
public enum TokenScope: String, Sendable, Hashable, CaseIterable {
    /// Reading what is kept for its user.
    case read
    /// Reading and changing it.
    case write

    /// Whether changes may be made with it.
    public var allowsChanges: Bool {
        switch self {
        case .read: false
        case .write: true
        }
    }
}

/// What a token opened when it was looked up.
public struct TokenGrant: Sendable, Hashable {
    /// Whose it is.
    public var user: UserID
    /// The name of that user.
    public var name: String
    /// What it opens.
    public var scope: TokenScope
    /// From when on it opens nothing; nil for never.
    public var expiresAt: Timestamp?

    /// Makes a grant.
    public init(user: UserID, name: String, scope: TokenScope, expiresAt: Timestamp?) {
        self.user = user
        self.name = name
        self.scope = scope
        self.expiresAt = expiresAt
    }

    /// Whether it still opens something at a moment: the moment of its end is too late.
    public func isOpen(at time: Timestamp) -> Bool {
        expiresAt.map { time < $0 } ?? true
    }
}
