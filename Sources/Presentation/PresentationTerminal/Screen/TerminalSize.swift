/// The size of a terminal in character cells.
public struct TerminalSize: Sendable, Hashable {
    /// Larger figures are cut to this: a broken terminal must not make the program take gigabytes.
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
