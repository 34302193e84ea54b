/// A board as it stood at one moment: what presenters read.
///
/// A class, because every reader takes one: a reference instead of a copy of the board.
public final class BoardSnapshot: Sendable {
    /// The board, a copy.
    public let board: MarketBoard
    /// Grows with each cut of one process.
    public let sequence: UInt64
    /// When it was cut, on the local wall clock.
    public let capturedAt: Timestamp

    /// Makes a cut.
    public init(board: MarketBoard, sequence: UInt64, capturedAt: Timestamp) {
        self.board = board
        self.sequence = sequence
        self.capturedAt = capturedAt
    }
}
