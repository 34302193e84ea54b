/// A rectangle of a frame.
public struct FrameArea: Sendable, Hashable {
    /// From the top, from 0.
    public var rows: Range<Int>
    /// From the left, from 0.
    public var columns: Range<Int>

    /// Makes a rectangle; it may be empty.
    public init(rows: Range<Int>, columns: Range<Int>) {
        self.rows = rows
        self.columns = columns
    }

    /// The whole frame.
    public init(_ size: TerminalSize) {
        self.init(rows: 0..<size.rows, columns: 0..<size.columns)
    }

    /// The intersection with another rectangle.
    public func clamped(to other: FrameArea) -> FrameArea {
        FrameArea(
            rows: rows.clamped(to: other.rows),
            columns: columns.clamped(to: other.columns)
        )
    }

    /// Whether the rectangle has no cells.
    public var isEmpty: Bool { rows.isEmpty || columns.isEmpty }
}
