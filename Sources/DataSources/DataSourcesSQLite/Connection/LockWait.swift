import CSQLite
import Synchronization

/// Remaining total time for which all calls of a store may wait for locks; unlimited until it is
/// set.
final class LockWaitBudget: Sendable {
    private static let unlimited = Int.max
    private let steps = Atomic(unlimited)

    /// Sets the remaining time, or lowers it.
    func lower(to duration: Duration) {
        let wanted = Int(duration / .milliseconds(hoga_sqlite_wait_milliseconds))
        var left = steps.load(ordering: .relaxed)
        while wanted < left {
            let (isDone, present) = steps.compareExchange(
                expected: left,
                desired: wanted,
                ordering: .relaxed
            )
            if isDone { return }
            left = present
        }
    }

    /// Spends one step of waiting.
    ///
    /// - Returns: false when nothing is left.
    func takeStep() -> Bool {
        var left = steps.load(ordering: .relaxed)
        while left != Self.unlimited {
            guard left > 0 else { return false }
            let (isDone, present) = steps.compareExchange(
                expected: left,
                desired: left - 1,
                ordering: .relaxed
            )
            if isDone { return true }
            left = present
        }
        return true
    }
}

/// Waits for locks of other connections, with a timeout for each wait and within the limit of its
/// store.
final class LockWait {
    private let limit: LockWaitBudget?
    private let stepsMax: Int32
    /// Whether the current call waits at all.
    var isPatient = true

    /// Makes a wait.
    init(patience: Duration, limit: LockWaitBudget?) {
        self.limit = limit
        stepsMax = Int32(patience / .milliseconds(hoga_sqlite_wait_milliseconds))
    }

    /// Waits one step.
    ///
    /// - Parameter steps: number of steps before in this wait.
    /// - Returns: false when the caller must give up.
    func wait(after steps: Int32) -> Bool {
        guard isPatient, steps < stepsMax, limit?.takeStep() ?? true else { return false }
        sqlite3_sleep(Int32(hoga_sqlite_wait_milliseconds))
        return true
    }
}

/// Not sendable, like its connection.
@available(*, unavailable)
extension LockWait: Sendable {}
