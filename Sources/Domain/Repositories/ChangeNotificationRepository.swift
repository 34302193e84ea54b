/// A notification that something changed in a store.
public enum ChangeNotification: Sendable, Hashable {
    /// The records of these users changed.
    case users([UserID])
    /// Tokens of these users were revoked, or the users were disabled, enabled or removed; their
    /// records may have changed, too.
    case access([UserID])
    /// Anything may have changed, because notifications were interrupted.
    case anybody
    /// How long ago the transactions of these users' newest changes began, by the store's clock.
    ///
    /// A measurement that comes before the notification of the changes; no change itself.
    case ages([UserID: Duration])
    /// Everything that changed until `age` ago has been delivered, without an interruption since
    /// the last ``anybody``.
    ///
    /// A repository that delivers this at all does so at least each second while it works.
    case current(age: Duration)

    /// The users that it concerns; nil for all users.
    public var users: [UserID]? {
        switch self {
        case .users(let users), .access(let users): users
        case .anybody: nil
        case .ages, .current: []
        }
    }
}

/// The change notifications of a store that sends them.
public protocol ChangeNotificationRepository: Sendable {
    /// Delivers until the task is cancelled. Waits for an unreachable store.
    ///
    /// - Parameter deliver: takes a notification and returns at once. Delivery is at least once,
    ///   within a second of the change.
    func run(deliver: @escaping @Sendable (ChangeNotification) -> Void) async
}
