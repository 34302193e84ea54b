import Concurrency
public import Domain
import Synchronization

/// Publishes the newest board snapshot.
///
/// Any thread can read it without waiting for the board's owner.
public final class SnapshotPublisher: Sendable {
    private let snapshot: AsyncValue<BoardSnapshot>
    private let newest: Atomic<UInt64>
    private let listeners = Mutex<[@Sendable () -> Void]>([])

    /// Starts with a snapshot of an empty board.
    public init(_ snapshot: BoardSnapshot) {
        self.snapshot = AsyncValue(snapshot)
        newest = Atomic(snapshot.sequence)
    }

    /// Number of the newest snapshot, read without a lock.
    ///
    /// ``value``, read afterwards, is that snapshot or a newer one.
    public var sequence: UInt64 { newest.load(ordering: .acquiring) }

    /// The newest snapshot.
    public var value: BoardSnapshot { snapshot.value }

    /// Waits until the newest snapshot meets a condition, for at most `limit`.
    ///
    /// `isMet` runs under a lock at each snapshot: it must return at once.
    ///
    /// - Returns: that snapshot; nil if the time ran out or the task was cancelled first.
    public func first(
        within limit: Duration,
        clock: any Clock<Duration>,
        where isMet: @escaping @Sendable (BoardSnapshot) -> Bool
    ) async -> BoardSnapshot? {
        await snapshot.first(within: limit, clock: clock, where: isMet)
    }

    /// Calls `listener` after each new snapshot, on the publishing thread.
    ///
    /// The listener must return at once.
    ///
    /// Intended for the few outlets that the composition root registers at the start.
    public func onChange(_ listener: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    /// Publishes a snapshot and calls every listener on the caller's thread.
    public func publish(_ new: BoardSnapshot) {
        snapshot.update { snapshot in
            snapshot = new
            newest.store(new.sequence, ordering: .releasing)
        }
        for listener in listeners.withLock(\.self) { listener() }
    }
}
