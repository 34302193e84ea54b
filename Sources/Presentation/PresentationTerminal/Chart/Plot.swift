/// A rectangle of the chart that figures are drawn in; nothing drawn through it leaves it.
struct Plot: Equatable {
    /// Rows of the picture.
    let rows: Range<Int>
    /// Columns of the picture.
    let columns: Range<Int>

    var width: Int { columns.count }
    var height: Int { rows.count }

    /// Puts a character that is a column wide at a place of the plot, counted from its upper left.
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

    /// Puts the dots of a layer that is as large as the plot.
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
