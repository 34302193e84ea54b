import Domain
import Synchronization

/// The clock of a simulated market: a given clock that can be set forward.
final class SimulatorClock: Sendable {
    private let base: @Sendable () -> Timestamp
    /// How far it has been set forward.
    private let shift = Mutex<Duration>(.zero)

    init(_ base: @escaping @Sendable () -> Timestamp) {
        self.base = base
    }

    func now() -> Timestamp {
        shift.withLock { base().advanced(by: $0) }
    }

    /// Sets the clock to `wanted` before the next 00:00 in Seoul.
    ///
    /// A clock that is already later is unchanged.
    func set(beforeMidnight wanted: Duration) {
        shift.withLock { shift in
            let now = base().advanced(by: shift)
            let midnight = SeoulTime.startOfDay(SeoulTime(now).day + 1)
            let missing = midnight.duration(since: now) - wanted
            if missing > .zero { shift += missing }
        }
    }
}
