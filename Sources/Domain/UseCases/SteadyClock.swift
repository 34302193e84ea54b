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

    /// The time now.
    public func now() -> Timestamp {
        // Both clocks are read under the lock: times are told in their order.
        time.withLock { $0.time(wall(), uptime: stopwatch.elapsed) }
    }
}
