public import Domain
import Synchronization

/// Publishes the newest board snapshot.
///
/// Any thread can read it without waiting for the board's owner.
public final class SnapshotPublisher: Sendable {
    private struct State {
        var cut: BoardSnapshot
        var listeners: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>
    private let newest: Atomic<UInt64>

    /// Starts with a snapshot of an empty board.
    public init(_ cut: BoardSnapshot) {
        state = Mutex(State(cut: cut))
        newest = Atomic(cut.sequence)
    }

    /// Number of the newest snapshot, read without a lock.
    ///
    /// ``value``, read afterwards, is that snapshot or a newer one.
    public var sequence: UInt64 { newest.load(ordering: .acquiring) }

    /// The newest snapshot.
    public var value: BoardSnapshot { state.withLock { $0.cut } }

    /// Calls `listener` after each new snapshot, on the publishing thread.
    ///
    /// The listener must return at once.
    ///
    /// Intended for the few outlets that the composition root registers at the start.
    public func onChange(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Publishes a snapshot and calls every listener on the caller's thread.
    public func publish(_ cut: BoardSnapshot) {
        let listeners = state.withLock { state in
            state.cut = cut
            newest.store(cut.sequence, ordering: .releasing)
            return state.listeners
        }
        for listener in listeners { listener() }
    }
}
