import CSQLite
import Synchronization

/// What is left of the time that all calls of a store together may wait for locks; without a limit
/// until one is set.
final class LockWaitBudget: Sendable {
    private static let unlimited = Int.max
    private let steps = Atomic(unlimited)

    /// Sets the rest, or lowers it.
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

    /// Takes one step of waiting.
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

/// How one connection waits for locks of others: with a patience of its own for each wait, and
/// within the limit of its store.
final class LockWait {
    private let limit: LockWaitBudget?
    private let stepsMax: Int32
    /// Whether the present call waits at all.
    var isPatient = true

    /// Makes a wait.
    init(patience: Duration, limit: LockWaitBudget?) {
        self.limit = limit
        stepsMax = Int32(patience / .milliseconds(hoga_sqlite_wait_milliseconds))
    }

    /// Waits one step.
    ///
    /// - Parameter steps: how many came before in this wait.
    /// - Returns: false when it is to be given up.
    func wait(after steps: Int32) -> Bool {
        guard isPatient, steps < stepsMax, limit?.takeStep() ?? true else { return false }
        sqlite3_sleep(Int32(hoga_sqlite_wait_milliseconds))
        return true
    }
}

/// As its connection.
@available(*, unavailable)
extension LockWait: Sendable {}
