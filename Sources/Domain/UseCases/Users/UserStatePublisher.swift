import Concurrency
public import Domain
import Synchronization

/// The newest state of one user, readable from any thread without waiting.
public final class UserStatePublisher: Sendable {
    private struct Content {
        var listeners: [@Sendable () -> Void] = []
        /// The store calls without an answer, oldest first.
        var pending: [UInt64] = []
        var callCount: UInt64 = 0
    }

    private let state: AsyncValue<UserState>
    private let content = Mutex(Content())

    /// Starts with a state.
    public init(_ state: UserState) { self.state = AsyncValue(state) }

    /// The newest state.
    public var value: UserState {
        var state = state.value
        state.pendingCall = content.withLock { $0.pending.first }
        return state
    }

    /// Waits until the newest state meets a condition, for at most `limit`.
    ///
    /// `isMet` runs under a lock at each state, without the pending call: it must return at once.
    ///
    /// - Returns: that state; nil if the time ran out or the task was cancelled first.
    @discardableResult
    public func first(
        within limit: Duration,
        clock: any Clock<Duration>,
        where isMet: @escaping @Sendable (UserState) -> Bool
    ) async -> UserState? {
        await state.first(within: limit, clock: clock, where: isMet)
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
    public func publish(_ new: UserState) {
        state.update { $0 = new }
        for listener in content.withLock(\.listeners) { listener() }
    }
}
