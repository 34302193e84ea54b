import Domain
import ViewStates

extension ChartCanvas {
    /// Up or down as the last candle is, if the price is that candle's.
    private var lastPriceDirection: DirectionViewState? {
        guard let newest = chart.candles.last, newest.close == chart.lastPrice else { return nil }
        return newest.priceDirection
    }

    func drawLastPriceLine(_ axis: ChartAxisColumn, in frame: inout Frame) {
        guard let price = chart.lastPrice else { return }
        let glyph = ChartGlyphs.lastPriceLine
        let style = context.style(lastPriceDirection, .dim)
        axis.drawLine(at: price, glyph: glyph, style: style, in: &frame)
    }

    func drawLastPriceTag(_ axis: ChartAxisColumn, in frame: inout Frame) {
        guard let price = chart.lastPrice else { return }
        axis.drawTag(
            price,
            mark: lastPriceDirection.sign ?? ChartGlyphs.lastPriceMark,
            style: context.style(lastPriceDirection, .reverse),
            in: &frame
        )
    }

    /// A line down through both plots at the bucket, and one across at its last price.
    func drawCrosshairLines(_ axis: ChartAxisColumn, in frame: inout Frame) {
        guard let bucket = crosshairBucket, let slot = slots.slot(ofBucket: bucket) else { return }
        if let candle = candle(inBucket: bucket) {
            axis.drawLine(
                at: chart.candles[candle].close,
                glyph: ChartGlyphs.crosshairRow,
                style: context.style(.accent),
                in: &frame
            )
        }
        let column = slots.middle(slot)
        for row in 0..<prices.height {
            drawCrosshairCell(prices, row: row, column: column, in: &frame)
        }
        for row in 0..<bars.height where frame.isBlank(bars, row: row, column: column) {
            drawCrosshairCell(bars, row: row, column: column, in: &frame)
        }
    }

    func drawCrosshairTags(_ axis: ChartAxisColumn, in frame: inout Frame) {
        let style = context.style(.accent, .reverse)
        if let candle = crosshairBucket.flatMap(candle(inBucket:)) {
            let close = chart.candles[candle].close
            axis.drawTag(close, mark: ChartGlyphs.crosshairMark, style: style, in: &frame)
        }
        guard let row = layout.times, let tag = timeTag else { return }
        frame.draw(
            tag.text,
            row: row,
            column: tag.columns.lowerBound,
            width: tag.columns.count,
            style: style
        )
    }

    /// The time label under the cross-hair and the columns it covers below the plot.
    var timeTag: (text: String, columns: Range<Int>)? {
        guard let bucket = crosshairBucket, let interval,
            let slot = slots.slot(ofBucket: bucket)
        else { return nil }
        let text = " " + AxisText.bucket(slots.opens[bucket], interval: interval) + " "
        let length = min(text.utf8.count, layout.columns.count)
        let middle = prices.columns.lowerBound + slots.middle(slot)
        let first = layout.columns.lowerBound
        let start = min(max(middle - length / 2, first), layout.columns.upperBound - length)
        return (text, start..<(start + length))
    }

    func drawCrosshairCell(_ plot: Plot, row: Int, column: Int, in frame: inout Frame) {
        let glyph = ChartGlyphs.crosshairColumn
        plot.put(glyph, row: row, column: column, style: context.style(.accent), in: &frame)
    }
}

extension Frame {
    /// Whether a plot cell is blank.
    func isBlank(_ plot: Plot, row: Int, column: Int) -> Bool {
        let place = (plot.rows.lowerBound + row) * size.columns + plot.columns.lowerBound + column
        return cells.indices.contains(place) && cells[place].base == Cell.blank.base
    }
}
