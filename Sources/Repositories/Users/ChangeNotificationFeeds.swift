public import DataSourceContracts
public import Domain

/// News of a store that tells them itself.
public final class PushedChangeNotifications: ChangeNotificationRepository {
    private let source: any ChangeNotificationSource

    /// Makes a repository over a source of news.
    public init(source: any ChangeNotificationSource) { self.source = source }

    /// Tells until the task is cancelled, whoever is looked at.
    public func run(
        watchedUsers: @escaping @Sendable () -> [UserID],
        deliver: @escaping @Sendable (ChangeNotification) -> Void
    ) async {
        await source.run { news in
            switch news {
            case .users(let users): deliver(.users(users.map { UserID($0) }))
            case .anybody: deliver(.anybody)
            }
        }
    }
}

/// News of a store that tells none: it is asked each second, about those who are looked at.
public final class PolledChangeNotifications: ChangeNotificationRepository {
    /// How often the store is asked.
    public static let interval: Duration = .seconds(1)

    private let personal: any UserRepository
    private let pause: @Sendable () async throws -> Void

    /// Makes a repository over whatever counts changes.
    ///
    /// - Parameters:
    ///   - personal: counts the changes of each user.
    ///   - clock: measures ``interval``.
    public init(personal: any UserRepository, clock: some Clock<Duration>) {
        self.personal = personal
        pause = { try await clock.sleep(for: Self.interval) }
    }

    /// Tells until the task is cancelled.
    public func run(
        watchedUsers: @escaping @Sendable () -> [UserID],
        deliver: @escaping @Sendable (ChangeNotification) -> Void
    ) async {
        var counts: [UserID: Int64] = [:]
        while !Task.isCancelled {
            do { try await pause() } catch { return }
            var present: [UserID: Int64] = [:]
            for user in watchedUsers() {
                do throws(StoreFailure) {
                    let count = try await personal.changeCount(of: user)
                    present[user] = count
                    // Who was not asked about before may have been read before.
                    if counts[user] != count { deliver(.users([user])) }
                } catch {
                    // What happens meanwhile shows when the store is back: nothing equals nil.
                }
            }
            counts = present
        }
    }
}
