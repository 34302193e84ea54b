public import Domain

/// The record of a token's owner, and of no other user.
///
/// Each call verifies the token first: see ``TokenVerifier``. Calls name the user as
/// ``Domain/UserID/tokenOwner`` or by number.
public final class TokenUserRepository: UserRepository {
    private let token: TokenHash
    private let verifier: TokenVerifier
    private let users: any UserRepository

    /// Makes a repository for the owner of a token.
    ///
    /// - Parameters:
    ///   - token: the token's hash.
    ///   - verifier: tells the owner and the scope.
    ///   - users: holds the records of all users.
    public init(token: TokenHash, verifier: TokenVerifier, users: any UserRepository) {
        self.token = token
        self.verifier = verifier
        self.users = users
    }

    /// The grant of the token.
    ///
    /// - Throws: ``Domain/StoreFailure``: `unauthorized` for an invalid token, else the store's
    ///   failure.
    public func grant() async throws(StoreFailure) -> TokenGrant {
        try await verifier.grant(of: token)
    }

    /// Reads the owner's record.
    public func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        try await call(user) { owner throws(StoreFailure) in try await users.record(of: owner) }
    }

    /// Applies a change; `forbidden` with a read-only token.
    public func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        try await call(user, isChanging: true) { owner throws(StoreFailure) in
            try await users.perform(change, of: owner)
        }
    }

    /// Reads the number of changes of the owner's record.
    public func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 {
        try await call(user) { owner throws(StoreFailure) in
            try await users.changeCount(of: owner)
        }
    }

    /// Checks that a change could be written; `forbidden` with a read-only token.
    public func checkWriting(of user: UserID) async throws(StoreFailure) {
        try await call(user, isChanging: true) { owner throws(StoreFailure) in
            try await users.checkWriting(of: owner)
        }
    }

    /// Reads the owner's journal.
    public func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] {
        try await call(user) { owner throws(StoreFailure) in
            try await users.journal(of: owner, newest: count)
        }
    }

    /// Reads a page of the owner's alerts.
    public func alertLog(
        of user: UserID,
        before number: Int64?,
        count: Int
    ) async throws(StoreFailure) -> [LoggedAlert] {
        try await call(user) { owner throws(StoreFailure) in
            try await users.alertLog(of: owner, before: number, count: count)
        }
    }

    /// Makes a call for the owner.
    ///
    /// A store reports a removed user as `unavailable`. The token is verified again then, so that
    /// its owner is told `unauthorized`.
    private func call<Value: Sendable>(
        _ user: UserID,
        isChanging: Bool = false,
        _ body: (UserID) async throws(StoreFailure) -> Value
    ) async throws(StoreFailure) -> Value {
        let owner = try await owner(user, isChanging: isChanging)
        do throws(StoreFailure) {
            return try await body(owner)
        } catch {
            guard error.code == .unavailable else { throw error }
            verifier.invalidate(token)
            _ = try await self.owner(user, isChanging: isChanging)
            throw error
        }
    }

    private func owner(_ user: UserID, isChanging: Bool) async throws(StoreFailure) -> UserID {
        let grant = try await grant()
        guard user == .tokenOwner || user == grant.user else {
            throw StoreFailure(
                .unauthorized,
                "the token belongs to another user. Use a token of that user"
            )
        }
        guard !isChanging || grant.scope.allowsChanges else {
            throw StoreFailure(
                .forbidden,
                "the token is read-only. Use a token made with --scope write"
            )
        }
        return grant.user
    }
}

/// The notifications about a token's owner, addressed to ``Domain/UserID/tokenOwner``.
public struct TokenOwnerNotifications: ChangeNotificationRepository {
    private let token: TokenHash
    private let verifier: TokenVerifier
    private let notifications: any ChangeNotificationRepository

    /// Filters the notifications about all users.
    public init(
        token: TokenHash,
        verifier: TokenVerifier,
        notifications: any ChangeNotificationRepository
    ) {
        self.token = token
        self.verifier = verifier
        self.notifications = notifications
    }

    /// Delivers until the task is cancelled.
    ///
    /// Everything concerns the owner while it is unknown.
    ///
    /// The change may concern the token itself, so it is verified again.
    public func run(deliver: @escaping @Sendable (ChangeNotification) -> Void) async {
        await notifications.run { [verifier, token] notification in
            verifier.receive(notification)
            switch notification {
            case .users(let users), .access(let users):
                if let owner = verifier.owner(of: token), !users.contains(owner) { return }
            case .anybody: break
            case .ages: return
            case .current: return deliver(notification)
            }
            verifier.invalidate(token)
            deliver(.users([.tokenOwner]))
        }
    }
}

/// The notifications of a store, which its token verifier receives first.
public struct VerifiedNotifications: ChangeNotificationRepository {
    private let verifier: TokenVerifier
    private let notifications: any ChangeNotificationRepository

    /// Makes a verifier receive notifications, too.
    public init(verifier: TokenVerifier, notifications: any ChangeNotificationRepository) {
        self.verifier = verifier
        self.notifications = notifications
    }

    /// Delivers until the task is cancelled.
    public func run(deliver: @escaping @Sendable (ChangeNotification) -> Void) async {
        await notifications.run { [verifier] notification in
            verifier.receive(notification)
            deliver(notification)
        }
    }
}
