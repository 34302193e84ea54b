import DataSourcesCurl
import Synchronization

/// Lets short visitors onto a thread that its owner holds in a long wait.
///
/// The owner waits for input on the connection's thread. A visitor, who sends or closes, enters
/// first, which ends that wait; then it queues for the thread. The owner does not wait again while
/// there are visitors: it leaves the thread until ``quiet()`` returns. So nobody waits for input
/// that may never come, and no thread is kept busy.
final class ConnectionTurnstile: Sendable {
    private struct State {
        /// How many visitors there are: each is a task that sends or closes.
        var visitors = 0
        var isClosing = false
        /// The owner, while it waits for the visitors to go.
        var owner: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let waker: Waker

    /// Makes a gate without visitors, which ends waits by this waker.
    init(waker: Waker) {
        self.waker = waker
    }

    // MARK: Visitors

    /// Announces a visitor, and whether it comes to close; it must leave again.
    func enter(toClose isClosing: Bool = false) {
        state.withLock { state in
            state.visitors += 1
            if isClosing { state.isClosing = true }
        }
        waker.wake()
    }

    /// Takes leave; the last one lets the owner go on.
    func leave() {
        let owner = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.visitors -= 1
            guard state.visitors == 0 else { return nil }
            defer { state.owner = nil }
            return state.owner
        }
        owner?.resume()
    }

    /// Ends whatever wait is going on: whoever waits looks around and decides anew.
    func wake() {
        waker.wake()
    }

    // MARK: The thread

    /// Whether somebody wants the thread.
    var hasVisitors: Bool { state.withLock { $0.visitors > 0 } }

    /// Whether the connection is to be closed: nobody should wait for anything any more.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Returns when there are no visitors, or when the task is cancelled.
    func quiet() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isQuiet = state.withLock { state in
                    // Cancelling takes the lock after this, so it finds the owner here.
                    if state.visitors == 0 || Task.isCancelled { return true }
                    precondition(state.owner == nil, "One task at a time may receive.")
                    state.owner = continuation
                    return false
                }
                if isQuiet { continuation.resume() }
            }
        } onCancel: {
            let owner = state.withLock { state -> CheckedContinuation<Void, Never>? in
                defer { state.owner = nil }
                return state.owner
            }
            owner?.resume()
        }
    }
}
