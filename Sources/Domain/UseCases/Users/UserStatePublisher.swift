public import Domain
import Synchronization

/// The newest state of one user, readable from any thread without waiting.
public final class UserStatePublisher: Sendable {
    private struct Content {
        var state: UserState
        var listeners: [@Sendable () -> Void] = []
        /// The store calls without an answer, oldest first.
        var pending: [UInt64] = []
        var callCount: UInt64 = 0
    }

    private let content: Mutex<Content>

    /// Starts with a state.
    public init(_ state: UserState) { content = Mutex(Content(state: state)) }

    /// The newest state.
    public var value: UserState {
        content.withLock { content in
            var state = content.state
            state.pendingCall = content.pending.first
            return state
        }
    }

    /// Calls `listener` after each new state.
    ///
    /// The listener must return at once.
    public func onChange(_ listener: @escaping @Sendable () -> Void) {
        content.withLock { $0.listeners.append(listener) }
    }

    /// Records that a store call has begun.
    ///
    /// Listeners are not called.
    ///
    /// - Returns: the number of the call.
    func beginCall() -> UInt64 {
        content.withLock { content in
            content.callCount += 1
            content.pending.append(content.callCount)
            return content.callCount
        }
    }

    /// Records that a store call has ended.
    func endCall(_ number: UInt64) {
        content.withLock { $0.pending.removeAll { $0 == number } }
    }

    /// Publishes a state and calls the listeners on the caller's thread.
    public func publish(_ state: UserState) {
        let listeners = content.withLock { content in
            content.state = state
            return content.listeners
        }
        for listener in listeners { listener() }
    }
}
