public import DataSourceContracts
public import Domain

/// The change notifications of a store.
public final class PushedChangeNotifications: ChangeNotificationRepository {
    private let source: any ChangeNotificationSource

    /// Makes a repository over a source.
    public init(source: any ChangeNotificationSource) { self.source = source }

    /// Delivers until the task is cancelled.
    public func run(deliver: @escaping @Sendable (ChangeNotification) -> Void) async {
        await source.run { notification in
            switch notification {
            case .users(let users): deliver(.users(users.map { UserID($0) }))
            case .access(let users): deliver(.access(users.map { UserID($0) }))
            case .anybody: deliver(.anybody)
            case .ages(let ages):
                let pairs = ages.map { (UserID($0.key), $0.value) }
                deliver(.ages(Dictionary(uniqueKeysWithValues: pairs)))
            case .current(let age): deliver(.current(age: age))
            }
        }
    }
}
