/// News of changes of what is personal.
public enum ChangeNotification: Sendable, Hashable {
    /// Something of these users was changed.
    case users([UserID])
    /// Something of anybody may have been changed: nobody listened for a while.
    case anybody
}

/// Hears whose things were changed, by whichever process.
public protocol ChangeNotificationRepository: Sendable {
    /// Tells until the task is cancelled; never throws: a store that is away is waited for.
    ///
    /// - Parameters:
    ///   - watchedUsers: whose things somebody looks at now; changes of others need not be told.
    ///   - deliver: takes news, and returns at once; a change may be told twice and is never left
    ///     out, a second after it was made at the latest.
    func run(
        watchedUsers: @escaping @Sendable () -> [UserID],
        deliver: @escaping @Sendable (ChangeNotification) -> Void
    ) async
}
