public import Domain
import Synchronization

/// The newest cut, readable from any thread without waiting for the board's owner.
public final class SnapshotPublisher: Sendable {
    private struct State {
        var cut: BoardSnapshot
        var listeners: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>
    private let newest: Atomic<UInt64>

    /// Starts with a cut of an empty board.
    public init(_ cut: BoardSnapshot) {
        state = Mutex(State(cut: cut))
        newest = Atomic(cut.sequence)
    }

    /// The number of the newest cut, told without any lock.
    ///
    /// ``value``, read afterwards, is that cut or a newer one.
    public var sequence: UInt64 { newest.load(ordering: .acquiring) }

    /// The newest cut.
    public var value: BoardSnapshot { state.withLock { $0.cut } }

    /// Calls `listener` after each new cut, on the owner's thread; it must return at once.
    ///
    /// Meant for the handful of outlets that a composition root wires up before anything runs.
    public func onChange(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Publishes the next one and calls every listener on the caller's thread.
    public func publish(_ cut: BoardSnapshot) {
        let listeners = state.withLock { state in
            state.cut = cut
            newest.store(cut.sequence, ordering: .releasing)
            return state.listeners
        }
        for listener in listeners { listener() }
    }
}
