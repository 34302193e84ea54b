import DataSourceContracts
import Domain
import Repositories
import UseCases

/// The user of this program, and the access to the record.
struct StoreOwner: Sendable {
    /// Reads and changes the record.
    let users: any UserRepository
    /// The user.
    let user: UserID
    /// The access by token; nil where no token is needed.
    let access: TokenUserRepository?
    /// Tells when another process changed the record; nil if the store does not.
    let notifications: (any ChangeNotificationRepository)?

    /// Makes a user without a token.
    init(users: any UserRepository, user: UserID) {
        self.users = users
        self.user = user
        access = nil
        notifications = nil
    }

    /// Makes the owner of a token.
    init(
        token: TokenHash,
        tokens: any TokenStoreSource,
        users: any UserRepository,
        notifications: any ChangeNotificationRepository
    ) {
        let verifier = TokenVerifier(
            repository: StoredTokenRepository(store: tokens, now: SystemSources.wallTime),
            clock: ContinuousClock(),
            now: SystemSources.wallTime
        )
        let access = TokenUserRepository(token: token, verifier: verifier, users: users)
        self.users = access
        self.access = access
        user = .tokenOwner
        self.notifications = TokenOwnerNotifications(
            token: token,
            verifier: verifier,
            notifications: notifications
        )
    }
}
