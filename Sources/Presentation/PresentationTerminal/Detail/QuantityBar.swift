import Domain

/// A length in eighths of a column, drawn with blocks.
enum QuantityBar {
    /// One to seven eighths of a cell, from its left edge.
    private static let parts: [Unicode.Scalar] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Draws a bar from the left or right edge.
    ///
    /// - Parameters:
    ///   - ratio: 0...1; any positive ratio fills at least an eighth of a column.
    ///   - row: the row.
    ///   - columns: the columns of a full bar.
    ///   - alignment: the edge that the bar starts from.
    ///   - style: of the bar and its background.
    ///   - frame: the frame to draw into.
    static func draw(
        _ ratio: FixedDecimal,
        row: Int,
        columns: Range<Int>,
        alignment: Frame.Alignment,
        style: CellStyle,
        in frame: inout Frame
    ) {
        let whole = Int128(columns.count * 8)
        let bounded = min(max(ratio.units, 0), FixedDecimal.unitsPerOne)
        let rounded = (bounded * whole + FixedDecimal.unitsPerOne / 2) / FixedDecimal.unitsPerOne
        let eighths = max(Int(rounded), bounded > 0 ? 1 : 0)
        let (full, rest) = eighths.quotientAndRemainder(dividingBy: 8)
        let isLeading = alignment == .leading
        for place in 0..<full {
            let column = isLeading ? columns.lowerBound + place : columns.upperBound - 1 - place
            frame.put("█", row: row, column: column, style: style)
        }
        guard rest > 0, full < columns.count else { return }
        if isLeading {
            frame.put(parts[rest - 1], row: row, column: columns.lowerBound + full, style: style)
        } else {
            // There are no blocks that begin at the right: the rest of the cell is drawn instead.
            let column = columns.upperBound - 1 - full
            frame.put(parts[7 - rest], row: row, column: column, style: style.reversed)
        }
    }
}
