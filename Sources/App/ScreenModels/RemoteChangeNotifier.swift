import Synchronization

/// Counts changes and calls listeners after each.
final class RemoteChangeNotifier: Sendable {
    private struct State {
        var count: UInt64 = 0
        var listeners: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// The number of changes.
    var count: UInt64 { state.withLock { $0.count } }

    /// Adds a listener that is called after every change; it must return at once.
    func onChange(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Reports a change.
    func announce() {
        let listeners = state.withLock { state in
            state.count += 1
            return state.listeners
        }
        for listener in listeners { listener() }
    }
}
