/// The size of a terminal in character cells.
public struct TerminalSize: Sendable, Hashable {
    /// The maximum columns or rows, which bounds memory for terminals that report nonsense.
    public static let sideMax = 1_000

    /// Width, 1...1,000.
    public let columns: Int
    /// Height, 1...1,000.
    public let rows: Int

    /// Makes a size; figures outside 1...1,000 count as the nearest of these.
    public init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 1), Self.sideMax)
        self.rows = min(max(rows, 1), Self.sideMax)
    }
}
