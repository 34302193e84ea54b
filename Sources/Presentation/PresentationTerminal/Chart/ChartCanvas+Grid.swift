import Domain
import ViewStates

extension ChartCanvas {
    /// Dots between the columns of a grid line, and its rows.
    private static let gridColumns = 4
    private static let gridRows = 2
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
        for label in times {
            for row in stride(from: 0, to: prices.height, by: Self.gridRows) {
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

    /// Names the highest and the lowest visible price beside their candles.
    func drawExtremes(_ axis: ChartAxisColumn, in frame: inout Frame) {
        guard prices.width >= Self.extremesColumnsMin, layout.times != nil,
            options.style == .candles
        else { return }
        let bars = slots.slots.filter { $0.bar != nil }
        // Of equal prices the newest is marked.
        let high = bars.reduce(bars.first) { best, slot in
            (slot.bar?.high ?? .zero) >= (best?.bar?.high ?? .zero) ? slot : best
        }
        let low = bars.reduce(bars.first) { best, slot in
            (slot.bar?.low ?? .zero) <= (best?.bar?.low ?? .zero) ? slot : best
        }
        if let high, let price = high.bar?.high {
            drawExtreme(price, at: slots.middle(high), axis, in: &frame)
        }
        if let low, let price = low.bar?.low, price != high?.bar?.high {
            drawExtreme(price, at: slots.middle(low), axis, in: &frame)
        }
    }

    /// Draws a price beside a column, on the side without candles; not at all if both have some.
    private func drawExtreme(
        _ price: FixedDecimal,
        at column: Int,
        _ axis: ChartAxisColumn,
        in frame: inout Frame
    ) {
        guard let row = axis.row(of: price) else { return }
        let text = axis.axis.text(of: price)
        let length = text.utf8.count + 1
        let right = (column + 1)..<(column + 1 + length)
        let left = (column - length)..<column
        let sides = column < prices.width / 2 ? [right, left] : [left, right]
        guard let place = sides.first(where: { isFree($0, row: row, in: frame) }) else { return }
        let marked =
            place == right
            ? ChartGlyphs.extremeMarks.left + text : text + ChartGlyphs.extremeMarks.right
        frame.draw(
            marked,
            row: prices.rows.lowerBound + row,
            column: prices.columns.lowerBound + place.lowerBound,
            width: length,
            style: context.style()
        )
    }

    /// Whether cells of the plot hold nothing but lines of the background.
    private func isFree(_ columns: Range<Int>, row: Int, in frame: Frame) -> Bool {
        guard columns.lowerBound >= 0, columns.upperBound <= prices.width else { return false }
        let line = (prices.rows.lowerBound + row) * frame.size.columns + prices.columns.lowerBound
        return columns.allSatisfy { column in
            let base = frame.cells[line + column].base
            return base == Cell.blank.base || base == ChartGlyphs.grid.value
                || base == ChartGlyphs.lastPriceLine.value
        }
    }
}
