import Domain
import ViewStates

extension ChartCanvas {
    /// Draws wicks first, averages over them and bodies on top.
    ///
    /// An average over a body would hide its direction. Over a wick it hides nothing that adjacent
    /// cells do not show.
    func drawCandles(_ axis: ChartAxisColumn, in frame: inout Frame) {
        let scale = axis.axis.scale
        for slot in slots.slots {
            guard let bar = slot.bar else { continue }
            let shape = CandleShape(bar, scale: scale, rows: prices.height)
            let style = context.style(bar.direction)
            let column = slots.middle(slot)
            for row in shape.rows {
                let glyph = ChartGlyphs.line(
                    upper: shape.wick(row * 2),
                    lower: shape.wick(row * 2 + 1)
                )
                prices.put(glyph, row: row, column: column, style: style, in: &frame)
            }
        }
        drawAverages(priceLines, scale: scale, in: prices, &frame)
        drawAverageLabels(scale, in: &frame)
        for slot in slots.slots {
            guard let bar = slot.bar else { continue }
            let shape = CandleShape(bar, scale: scale, rows: prices.height)
            drawBody(shape, of: bar, in: slots.bodyRange(slot), &frame)
        }
    }

    private func drawBody(
        _ shape: CandleShape,
        of bar: ChartBar,
        in columns: Range<Int>,
        _ frame: inout Frame
    ) {
        let form: CandleForm =
            switch bar.direction {
            case .flat: .flat
            // Independent of the theme: the shape shows the direction without color.
            case .up: .hollow
            case .down: .solid
            }
        let style = context.style(bar.direction)
        for row in shape.bodyRows {
            for column in 0..<columns.count {
                prices.put(
                    shape.body(row: row, column: column, of: columns.count, form),
                    row: row,
                    column: columns.lowerBound + column,
                    style: style,
                    in: &frame
                )
            }
        }
    }

    /// Marks at the foot of the buckets whose trades were lost.
    func drawMissing(in frame: inout Frame) {
        for slot in slots.slots where slot.isMissing {
            for column in slot.columns {
                prices.put(
                    ChartGlyphs.missing,
                    row: prices.height - 1,
                    column: column,
                    style: context.style(.plain, .dim),
                    in: &frame
                )
            }
        }
    }
}

/// How the body of a candle is drawn.
enum CandleForm {
    /// Half blocks.
    case solid
    /// An outline: a rising candle.
    case hollow
    /// A line: the first price is the last one.
    case flat
}

/// Which steps of the plot a candle's body and wicks fill; two steps are a row.
struct CandleShape: Equatable {
    /// From the highest to the lowest price.
    let wicks: ClosedRange<Int>
    /// From the first to the last price.
    let body: ClosedRange<Int>

    init(_ bar: ChartBar, scale: ValueScale, rows: Int) {
        let steps = max(rows, 1) * 2
        let open = scale.position(of: bar.open, steps: steps)
        let close = scale.position(of: bar.close, steps: steps)
        body = min(open, close)...max(open, close)
        // The first price of a new listing may lie outside of its candle.
        let high = min(scale.position(of: bar.high, steps: steps), body.lowerBound)
        let low = max(scale.position(of: bar.low, steps: steps), body.upperBound)
        wicks = high...low
    }

    /// The rows that the candle touches.
    var rows: ClosedRange<Int> { (wicks.lowerBound / 2)...(wicks.upperBound / 2) }

    /// The rows that the body touches.
    var bodyRows: ClosedRange<Int> { (body.lowerBound / 2)...(body.upperBound / 2) }

    /// The wick in a step.
    func wick(_ step: Int) -> ChartGlyphs.Step { wicks.contains(step) ? .wick : .blank }

    /// The character of a body's column, counted from the left, in one of its rows.
    ///
    /// The middle column joins the wicks.
    func body(row: Int, column: Int, of width: Int, _ form: CandleForm) -> Unicode.Scalar {
        let isMiddle = column == (width - 1) / 2
        let upper = step(row * 2)
        let lower = step(row * 2 + 1)
        switch form {
        case .flat: return isMiddle ? edge(row: row) : ChartGlyphs.flat
        case .solid where isMiddle && (width == 1 || upper == .wick || lower == .wick):
            return ChartGlyphs.line(upper: upper, lower: lower)
        case .solid:
            if upper == .body, lower == .body { return ChartGlyphs.block }
            return upper == .body ? ChartGlyphs.upperBlock : ChartGlyphs.lowerBlock
        case .hollow where width == 1: return ChartGlyphs.outline(upper: upper, lower: lower)
        case .hollow where column == 0 || column == width - 1:
            return side(row: row, isLeft: column == 0)
        case .hollow where row > bodyRows.lowerBound && row < bodyRows.upperBound: return " "
        case .hollow: return isMiddle ? edge(row: row) : ChartGlyphs.flat
        }
    }

    private func step(_ step: Int) -> ChartGlyphs.Step {
        body.contains(step) ? .body : wick(step)
    }

    /// A level end of the body, with the wicks that leave it.
    private func edge(row: Int) -> Unicode.Scalar {
        let isUpward = row == bodyRows.lowerBound && wicks.lowerBound < body.lowerBound
        let isDownward = row == bodyRows.upperBound && wicks.upperBound > body.upperBound
        switch (isUpward, isDownward) {
        case (true, true): return ChartGlyphs.flatWithWicks
        case (true, false): return ChartGlyphs.flatWithUpperWick
        case (false, true): return ChartGlyphs.flatWithLowerWick
        case (false, false): return ChartGlyphs.flat
        }
    }

    private func side(row: Int, isLeft: Bool) -> Unicode.Scalar {
        let isTop = row == bodyRows.lowerBound
        let isBottom = row == bodyRows.upperBound
        let ends =
            switch (isTop, isBottom) {
            case (true, true) where body.count > 1: ChartGlyphs.box
            case (true, true):
                body.lowerBound.isMultiple(of: 2) ? ChartGlyphs.bottom : ChartGlyphs.top
            case (true, false): ChartGlyphs.top
            case (false, true): ChartGlyphs.bottom
            case (false, false): (left: ChartGlyphs.side, right: ChartGlyphs.side)
            }
        return isLeft ? ends.left : ends.right
    }
}
