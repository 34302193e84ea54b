import Synchronization

/// Counts what is new, and tells those who look when something is.
final class RemoteChangeNotifier: Sendable {
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
