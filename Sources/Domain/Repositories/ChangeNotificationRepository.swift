/// Notification of changes to user data.
public enum ChangeNotification: Sendable, Hashable {
    /// Data of these users changed.
    case users([UserID])
    /// Data of any user may have changed: notifications were interrupted.
    case anybody
}

/// Notifies of user data changed by any process.
public protocol ChangeNotificationRepository: Sendable {
    /// Delivers notifications until the task is cancelled.
    ///
    /// Never throws; waits for an unreachable store.
    ///
    /// - Parameters:
    ///   - watchedUsers: the users to notify about; changes of others may be omitted.
    ///   - deliver: receives a notification and returns at once. Each change is delivered at
    ///     least once, within a second.
    func run(
        watchedUsers: @escaping @Sendable () -> [UserID],
        deliver: @escaping @Sendable (ChangeNotification) -> Void
    ) async
}
