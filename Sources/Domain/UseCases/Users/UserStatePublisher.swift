public import Domain
import Synchronization

/// The newest cut of what is kept for a user, readable from any thread without waiting.
public final class UserStatePublisher: Sendable {
    private struct State {
        var cut: UserState
        var listeners: [@Sendable () -> Void] = []
        /// The calls that the store has not answered: one look, one change of those who do not
        /// wait, and one of each who does.
        var pending: [UInt64] = []
        var callCount: UInt64 = 0
    }

    private let state: Mutex<State>

    /// Starts with what a user has for whom nothing was read yet.
    public init(_ cut: UserState) { state = Mutex(State(cut: cut)) }

    /// The newest cut.
    public var value: UserState {
        state.withLock { state in
            var cut = state.cut
            cut.pendingCall = state.pending.first
            return cut
        }
    }

    /// Calls `listener` after each new cut; it must return at once.
    public func onChange(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Notes that the store is being asked; nobody is told, whoever looks sees it.
    ///
    /// - Returns: the number of the call.
    func beginCall() -> UInt64 {
        state.withLock { state in
            state.callCount += 1
            state.pending.append(state.callCount)
            return state.callCount
        }
    }

    /// Notes that the store has answered a call.
    func endCall(_ number: UInt64) {
        state.withLock { $0.pending.removeAll { $0 == number } }
    }

    /// Publishes the next one and calls every listener on the caller's thread.
    public func publish(_ cut: UserState) {
        let listeners = state.withLock { state in
            state.cut = cut
            return state.listeners
        }
        for listener in listeners { listener() }
    }
}
