/// An immutable copy of the board at one moment, read by presenters.
///
/// A class, so that readers share one copy.
public final class BoardSnapshot: Sendable {
    /// The board.
    public let board: MarketBoard
    /// Increases with each snapshot of the process.
    public let sequence: UInt64
    /// When the snapshot was taken, on the local wall clock.
    public let capturedAt: Timestamp

    /// Makes a snapshot.
    public init(board: MarketBoard, sequence: UInt64, capturedAt: Timestamp) {
        self.board = board
        self.sequence = sequence
        self.capturedAt = capturedAt
    }
}
