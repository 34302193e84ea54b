import Synchronization

/// A board as it stood at one moment: what presenters read.
///
/// A class, because every reader takes one: a reference instead of a copy of the board.
public final class BoardCut: Sendable {
    /// The board, a copy.
    public let board: MarketBoard
    /// Grows with each cut of one process.
    public let sequence: UInt64
    /// When it was cut, on the local wall clock.
    public let cutAt: Timestamp

    /// Makes a cut.
    public init(board: MarketBoard, sequence: UInt64, cutAt: Timestamp) {
        self.board = board
        self.sequence = sequence
        self.cutAt = cutAt
    }
}

/// The newest cut, readable from any thread without waiting for the board's owner.
public final class LatestCut: Sendable {
    private struct State {
        var cut: BoardCut
        var listeners: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>
    private let newest: Atomic<UInt64>

    /// Starts with a cut of an empty board.
    public init(_ cut: BoardCut) {
        state = Mutex(State(cut: cut))
        newest = Atomic(cut.sequence)
    }

    /// The number of the newest cut, told without any lock.
    ///
    /// ``value``, read afterwards, is that cut or a newer one.
    public var sequence: UInt64 { newest.load(ordering: .acquiring) }

    /// The newest cut.
    public var value: BoardCut { state.withLock { $0.cut } }

    /// Calls `listener` after each new cut, on the owner's thread; it must return at once.
    ///
    /// Meant for the handful of outlets that a composition root wires up before anything runs.
    public func onChange(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    func publish(_ cut: BoardCut) {
        let listeners = state.withLock { state in
            state.cut = cut
            newest.store(cut.sequence, ordering: .releasing)
            return state.listeners
        }
        for listener in listeners { listener() }
    }
}
