import Synchronization
import TestSupport

/// A clock that a look moves on.
final class RunningClock: Clock {
    typealias Instant = ManualClock.Instant

    /// Milliseconds per look.
    let step = Atomic<Int>(0)
    private let looked = Atomic<Int>(0)

    var now: Instant {
        let milliseconds = step.load(ordering: .relaxed)
        return Instant(
            offset: .milliseconds(looked.add(milliseconds, ordering: .relaxed).newValue)
        )
    }

    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
