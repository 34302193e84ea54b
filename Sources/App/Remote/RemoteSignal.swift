import Synchronization

/// Tells one waiting task that there is something to do.
///
/// However often it is raised before somebody waits, that wait ends once.
final class RemoteSignal: Sendable {
    private struct State {
        var isRaised = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Ends the wait that is under way, or the next one.
    func raise() {
        let waiter = state.withLock { state in
            state.isRaised = state.waiter == nil
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Returns when it was raised since the last wait, or the task is cancelled; for one task.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isRaised || Task.isCancelled {
                        state.isRaised = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }
}

/// Counts what is new, and tells those who look when something is.
final class RemoteNews: Sendable {
    private struct State {
        var count: UInt64 = 0
        var listeners: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Grows with everything that is new.
    var count: UInt64 { state.withLock { $0.count } }

    /// Calls `listener` after all that is new; it must return at once.
    func onChange(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Says that something is new.
    func announce() {
        let listeners = state.withLock { state in
            state.count += 1
            return state.listeners
        }
        for listener in listeners { listener() }
    }
}
