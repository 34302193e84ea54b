import Concurrency
public import Domain
import Synchronization

/// The local clock of a process, whose times are those of ``SteadyTime``.
public final class SteadyClock: Sendable {
    private let time = Mutex(SteadyTime())
    private let wall: @Sendable () -> Timestamp
    private let stopwatch: Stopwatch

    /// Makes a clock.
    ///
    /// - Parameters:
    ///   - uptime: a clock that is never set.
    ///   - wall: the clock that people set.
    public init(uptime: any Clock<Duration>, wall: @escaping @Sendable () -> Timestamp) {
        self.wall = wall
        stopwatch = Stopwatch(uptime)
    }

    /// Takes the date of a response of the exchange; the time is not ahead of it from now on.
    ///
    /// - Parameters:
    ///   - second: the date, in Unix seconds.
    ///   - took: the time since the request was sent.
    public func noteExchangeDate(_ second: Int64, took: Duration) {
        // The date is truncated to the second, and the exchange answered after the request.
        let time = Timestamp(microseconds: (second + 1) * 1_000_000)
        let sentAt = stopwatch.elapsed - took
        self.time.withLock { $0.bound(by: time, asOf: sentAt) }
    }

    /// The time now.
    public func now() -> Timestamp {
        // Both clocks are read under the lock: times are told in their order.
        time.withLock { $0.time(wall(), uptime: stopwatch.elapsed) }
    }
}
