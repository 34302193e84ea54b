import Concurrency
import DataSourcesCurl

/// Lets sends and closes onto the thread that a receiver blocks in a long wait.
///
/// The receiver waits for input on the connection's thread. A send or close enters here, which ends
/// that wait, and then queues for the thread. The receiver does not wait again before
/// ``untilIdle()`` returns. So no operation waits behind input that may never arrive, and no thread
/// polls.
final class ConnectionTurnstile: Sendable {
    private struct State {
        /// Sends and closes that have entered and not left.
        var operations = 0
        var isClosing = false
    }

    private let state = AsyncValue(State())
    private let waker: Waker

    /// Makes a turnstile whose operations end the receiver's wait by this waker.
    init(waker: Waker) {
        self.waker = waker
    }

    // MARK: Operations

    /// Enters with an operation, which must leave again.
    func enter(toClose isClosing: Bool = false) {
        state.update { state in
            state.operations += 1
            if isClosing { state.isClosing = true }
        }
        waker.wake()
    }

    /// Leaves; the last operation to leave lets the receiver wait again.
    func leave() {
        state.update { $0.operations -= 1 }
    }

    /// Ends the current wait, so that the thread notices a cancellation.
    func wake() {
        waker.wake()
    }

    // MARK: The receiver

    /// Whether an operation needs the thread.
    var hasOperations: Bool { state.value.operations > 0 }

    /// Whether the connection is being closed: waits end with an error then.
    var isClosing: Bool { state.value.isClosing }

    /// Returns when no operation needs the thread, or the task is cancelled.
    func untilIdle() async {
        _ = await state.first { $0.operations == 0 }
    }
}
