import Domain
import HTTPServer
import Synchronization

/// A value that somebody else brings, at once or later.
final class DeferredValue<Value: Sendable>: Sendable {
    private struct Content {
        var value: Value?
        var end: (@Sendable () -> Void)?
    }

    private let content = Mutex(Content())

    /// The value; nil before it is there.
    var value: Value? { content.withLock { $0.value } }

    /// Brings the value; a second one is not taken.
    func put(_ value: Value) {
        let end = content.withLock { content in
            if content.value == nil { content.value = value }
            return content.end.take()
        }
        end?()
    }

    /// Calls `end` once the value is there: perhaps at once, else on the thread that brings it.
    func onFulfilled(_ end: @escaping @Sendable () -> Void) {
        let isAvailable = content.withLock { content in
            if content.value == nil { content.end = end }
            return content.value != nil
        }
        if isAvailable { end() }
    }

    /// Goes on with the value: at once if it is there, else without a thread that waits for it.
    ///
    /// - Parameters:
    ///   - wait: the longest wait.
    ///   - next: makes the reply, from nil where the value did not come in time.
    /// - Returns: what the server is to answer.
    func reply(
        within wait: Duration,
        _ next: @escaping @Sendable (Value?) -> HTTPServerReply
    ) -> HTTPServerReply {
        if let value { return next(value) }
        return .awaited(
            HTTPServerDeferredReply(
                milliseconds: Int(wait.wholeMicroseconds / 1_000),
                continuesDuringStop: true,
                begin: { end in self.onFulfilled(end) },
                reply: { next(self.value) }
            )
        )
    }
}
