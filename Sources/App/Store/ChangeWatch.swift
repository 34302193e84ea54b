import Concurrency
import Domain
import Synchronization

/// The outcomes of all users' changes, shared by the service that makes them and the check of the
/// store's state.
final class ChangeWatch: Sendable {
    private let outcomes = Mutex(ChangeOutcomes())
    private let stopwatch: Stopwatch

    /// Makes a watch that has seen no change.
    init(clock: any Clock<Duration>) { stopwatch = Stopwatch(clock) }

    /// The failure that changes meet; nil if they succeed, or if none was tried lately.
    var failure: StoreFailure? { outcomes.withLock { $0.failure(at: stopwatch.elapsed) } }

    /// Takes the result of a change: nil, or the failure of the store.
    func note(_ failure: StoreFailure?) {
        outcomes.withLock { $0.note(failure, at: stopwatch.elapsed) }
    }
}
