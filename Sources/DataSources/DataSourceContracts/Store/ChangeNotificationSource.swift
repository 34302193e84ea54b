/// Tells which users' things were changed, by whichever process.
public protocol ChangeNotificationSource: Sendable {
    /// Tells until the task is cancelled; never throws: a store that is away is waited for.
    ///
    /// - Parameter deliver: takes news; a change may be told twice and is never left out.
    func run(deliver: @escaping @Sendable (ChangeNotificationDTO) async -> Void) async
}

/// News of changes of what is personal.
public enum ChangeNotificationDTO: Sendable, Hashable {
    /// Something of these users was changed.
    case users([Int64])
    /// Something of anybody may have been changed: nobody listened for a while.
    case anybody
}
