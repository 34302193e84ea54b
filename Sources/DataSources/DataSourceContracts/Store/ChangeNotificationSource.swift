/// Notifies about changes of users' records by any process.
public protocol ChangeNotificationSource: Sendable {
    /// Delivers notifications until the task is cancelled.
    ///
    /// Never throws: it waits while the store is unreachable.
    ///
    /// - Parameter deliver: receives notifications; a change may be delivered twice but is never
    ///   lost.
    func run(deliver: @escaping @Sendable (ChangeNotificationDTO) async -> Void) async
}

/// A notification about changes of users' records.
public enum ChangeNotificationDTO: Sendable, Hashable {
    /// Records of these users changed.
    case users([Int64])
    /// Any record may have changed: notifications were lost for a while.
    case anybody
}
