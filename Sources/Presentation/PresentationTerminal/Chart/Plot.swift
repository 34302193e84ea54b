/// A rectangle of the chart; drawing is clipped to it.
struct Plot: Equatable {
    /// Rows of the frame.
    let rows: Range<Int>
    /// Columns of the frame.
    let columns: Range<Int>

    var width: Int { columns.count }
    var height: Int { rows.count }

    /// Puts a one-column character at a position relative to the upper left.
    func put(
        _ glyph: Unicode.Scalar,
        row: Int,
        column: Int,
        style: CellStyle,
        in frame: inout Frame
    ) {
        guard row >= 0, row < height, column >= 0, column < width else { return }
        frame.put(
            glyph,
            row: rows.lowerBound + row,
            column: columns.lowerBound + column,
            style: style
        )
    }

    /// Draws a braille layer of the plot's size.
    func put(
        _ layer: BrailleLayer,
        emphasis: CellStyle.Emphasis,
        in frame: inout Frame
    ) {
        layer.forEachCell { row, column, dots, role in
            put(
                ChartGlyphs.braille(dots),
                row: row,
                column: column,
                style: CellStyle(role, emphasis: emphasis),
                in: &frame
            )
        }
    }
}
