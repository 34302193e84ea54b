import Concurrency
import Domain
import Synchronization

/// Measures how late changes by other processes reach the open streams of their users.
///
/// A latency begins with the transaction of the change and ends when this instance publishes the
/// new state to its streams. It is the age of the change by the store's clock when this instance
/// read it, plus the time since the reading began by this process's monotonic clock. So clocks of
/// two hosts are never compared, and the error is at most a round trip, upward. A change that this
/// instance had already published, such as its own, is not counted; neither is one within a round
/// trip after another publication, which cannot be told from it.
///
/// Bound: one entry for each user with an open stream.
final class NewsLatency: Sendable {
    private struct Watched {
        var streams = 0
        /// The time of the last published state.
        var publishedAt: Duration
        /// The time of the oldest change that was read but not published.
        var writtenAt: Duration?
    }

    private struct State {
        var users: [UserID: Watched] = [:]
        var histogram = LatencyHistogram()
    }

    private let stopwatch: Stopwatch
    private let state = Mutex(State())

    init(clock: any Clock<Duration>) { stopwatch = Stopwatch(clock) }

    /// The latencies since the start.
    var histogram: LatencyHistogram { state.withLock { $0.histogram } }

    /// Measures changes of a user until ``unwatch(_:)`` was called as often.
    func watch(_ user: UserID) {
        let time = stopwatch.elapsed
        state.withLock { $0.users[user, default: Watched(publishedAt: time)].streams += 1 }
    }

    /// Takes back one ``watch(_:)``.
    func unwatch(_ user: UserID) {
        state.withLock { state in
            state.users[user]?.streams -= 1
            if state.users[user]?.streams == 0 { state.users[user] = nil }
        }
    }

    /// Takes the ages of changes; ignores other notifications.
    func receive(_ notification: ChangeNotification) {
        guard case .ages(let ages) = notification else { return }
        let time = stopwatch.elapsed
        state.withLock { state in
            for (user, age) in ages {
                guard let watched = state.users[user], watched.writtenAt == nil,
                    time - age > watched.publishedAt
                else { continue }
                state.users[user]?.writtenAt = time - age
            }
        }
    }

    /// Records that the streams of a user have a new state.
    func published(_ user: UserID) {
        let time = stopwatch.elapsed
        state.withLock { state in
            guard let watched = state.users[user] else { return }
            state.users[user]?.publishedAt = time
            state.users[user]?.writtenAt = nil
            if let writtenAt = watched.writtenAt { state.histogram.observe(time - writtenAt) }
        }
    }
}

/// The notifications of a store, whose ages a measurement receives first.
struct MeasuredNotifications: ChangeNotificationRepository {
    let latency: NewsLatency
    let notifications: any ChangeNotificationRepository

    func run(deliver: @escaping @Sendable (ChangeNotification) -> Void) async {
        await notifications.run { [latency] notification in
            latency.receive(notification)
            deliver(notification)
        }
    }
}
