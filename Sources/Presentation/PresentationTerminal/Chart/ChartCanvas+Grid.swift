import Domain
import ViewStates

extension ChartCanvas {
    /// The columns from dot to dot of a price's line.
    ///
    /// Lines of times have a dot in every second row between those lines, which looks as far.
    private static let gridColumns = 4
    /// Narrower plots have no room for the texts of the extremes.
    private static let extremesColumnsMin = 24

    /// Dotted lines at the labels of both axes.
    func drawGrid(_ axis: ChartAxisColumn, in frame: inout Frame) {
        guard !axis.columns.isEmpty else { return }
        let style = context.style(.plain, .dim)
        for label in axis.axis.labels {
            for column in stride(from: 0, to: prices.width, by: Self.gridColumns) {
                prices.put(
                    ChartGlyphs.grid,
                    row: label.row,
                    column: column,
                    style: style,
                    in: &frame
                )
            }
        }
        guard layout.times != nil else { return }
        let lines = axis.axis.labels.map(\.row)
        for label in times {
            for row in 0..<prices.height {
                let line = lines.last { $0 <= row } ?? lines.first ?? -1
                if (row - line).isMultiple(of: 2) { continue }
                prices.put(
                    ChartGlyphs.grid,
                    row: row,
                    column: label.anchor,
                    style: style,
                    in: &frame
                )
            }
        }
    }

    /// Names the highest and the lowest drawn price beside their places.
    func drawExtremes(_ axis: ChartAxisColumn, in frame: inout Frame) {
        guard prices.width >= Self.extremesColumnsMin, layout.times != nil else { return }
        let isLine = options.style == .line
        let drawn = slots.slots.compactMap { slot in
            slot.bar.map { bar in
                (
                    column: slots.middle(slot),
                    high: isLine ? bar.close : bar.high,
                    low: isLine ? bar.close : bar.low
                )
            }
        }
        guard let first = drawn.first else { return }
        // Of equal prices the newest is marked.
        let high = drawn.reduce(first) { $1.high >= $0.high ? $1 : $0 }
        let low = drawn.reduce(first) { $1.low <= $0.low ? $1 : $0 }
        drawExtreme(high.high, at: high.column, beyond: -1, axis, in: &frame)
        if low.low != high.high {
            drawExtreme(low.low, at: low.column, beyond: 1, axis, in: &frame)
        }
    }

    /// Draws a price beside a column: in its row, else in the row beyond it, else over averages.
    ///
    /// The price stays unnamed if candles fill all of these places.
    private func drawExtreme(
        _ price: FixedDecimal,
        at column: Int,
        beyond: Int,
        _ axis: ChartAxisColumn,
        in frame: inout Frame
    ) {
        guard let row = axis.row(of: price) else { return }
        let text = axis.axis.text(of: price)
        let length = text.utf8.count + 1
        let right = (column + 1)..<(column + 1 + length)
        let left = (column - length)..<column
        let sides = column < prices.width / 2 ? [right, left] : [left, right]
        let places = [row, row + beyond].flatMap { row in sides.map { (row: row, columns: $0) } }
        let clear = places.first { isFree($0.columns, row: $0.row, in: frame) }
        guard
            let place = clear
                ?? places.first(where: {
                    isFree($0.columns, row: $0.row, overAverages: true, in: frame)
                })
        else { return }
        let marks = ChartGlyphs.extremeMarks
        frame.draw(
            place.columns == right ? marks.left + text : text + marks.right,
            row: prices.rows.lowerBound + place.row,
            column: prices.columns.lowerBound + place.columns.lowerBound,
            width: length,
            style: context.style()
        )
    }

    /// Whether cells of the plot hold nothing but lines of the background, or of averages.
    private func isFree(
        _ columns: Range<Int>,
        row: Int,
        overAverages: Bool = false,
        in frame: Frame
    ) -> Bool {
        guard (0..<prices.height).contains(row), columns.lowerBound >= 0,
            columns.upperBound <= prices.width
        else { return false }
        let line = (prices.rows.lowerBound + row) * frame.size.columns + prices.columns.lowerBound
        return columns.allSatisfy { column in
            let base = frame.cells[line + column].base
            return base == Cell.blank.base || base == ChartGlyphs.grid.value
                || base == ChartGlyphs.lastPriceLine.value
                || overAverages && ChartGlyphs.brailleRange.contains(base)
        }
    }
}
