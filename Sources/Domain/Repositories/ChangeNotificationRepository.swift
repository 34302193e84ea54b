/// A notification that records of users changed.
public enum ChangeNotification: Sendable, Hashable {
    /// The records of these users changed.
    case users([UserID])
    /// Any record may have changed, because notifications were interrupted.
    case anybody
}

/// The change notifications of a store that sends them.
public protocol ChangeNotificationRepository: Sendable {
    /// Delivers until the task is cancelled. Waits for an unreachable store.
    ///
    /// - Parameter deliver: takes a notification and returns at once. Delivery is at least once,
    ///   within a second of the change.
    func run(deliver: @escaping @Sendable (ChangeNotification) -> Void) async
}
