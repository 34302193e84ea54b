import Domain
import HTTPServer
import Synchronization

/// A value that is delivered once, at once or later.
final class DeferredValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var onFulfilled: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// The value; nil before it is delivered.
    var value: Value? { state.withLock { $0.value } }

    /// Delivers the value; a second one is ignored.
    func fulfill(_ value: Value) {
        let onFulfilled = state.withLock { state in
            if state.value == nil { state.value = value }
            return state.onFulfilled.take()
        }
        onFulfilled?()
    }

    /// Calls `body` once the value is delivered: at once, or on the thread that delivers it.
    func onFulfilled(_ body: @escaping @Sendable () -> Void) {
        let isFulfilled = state.withLock { state in
            if state.value == nil { state.onFulfilled = body }
            return state.value != nil
        }
        if isFulfilled { body() }
    }

    /// Replies with the value, at once or deferred; no thread waits.
    ///
    /// - Parameters:
    ///   - timeout: the longest wait.
    ///   - next: makes the reply; nil after the time-out.
    /// - Returns: the reply, or the wait for it.
    func reply(
        within timeout: Duration,
        _ next: @escaping @Sendable (Value?) -> HTTPServerReply
    ) -> HTTPServerReply {
        if let value { return next(value) }
        return .deferred(
            HTTPServerDeferredReply(
                milliseconds: Int(timeout.wholeMicroseconds / 1_000),
                continuesDuringStop: true,
                begin: { end in self.onFulfilled(end) },
                reply: { next(self.value) }
            )
        )
    }
}
