/// Notifies about changes of users' records and of access by any process.
public protocol ChangeNotificationSource: Sendable {
    /// Delivers notifications until the task is cancelled.
    ///
    /// Never throws: it waits while the store is unreachable.
    ///
    /// - Parameter deliver: receives notifications; a change may be delivered twice but is never
    ///   lost.
    func run(deliver: @escaping @Sendable (ChangeNotificationDTO) async -> Void) async
}

/// A notification about changes by any process.
public enum ChangeNotificationDTO: Sendable, Hashable {
    /// Records of these users changed.
    case users([Int64])
    /// Tokens of these users were revoked, or the users were disabled, enabled or removed; their
    /// records may have changed, too.
    case access([Int64])
    /// Anything may have changed: notifications were lost for a while.
    case anybody
    /// How long ago the transactions of these users' newest changes began, by the store's clock;
    /// comes before the notification of the changes.
    case ages([Int64: Duration])
    /// Everything that was committed until `age` ago has been delivered.
    case current(age: Duration)
}
