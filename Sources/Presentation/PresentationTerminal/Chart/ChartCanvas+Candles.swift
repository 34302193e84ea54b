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
                guard let glyph = shape.wick(row: row) else { continue }
                prices.put(glyph, row: row, column: column, style: style, in: &frame)
            }
        }
        drawAverages(averages.map { ($0.role, $0.closes) }, scale: scale, in: prices, &frame)
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
        let style = context.style(bar.direction)
        // Independent of the theme: the shape shows the direction without color.
        let form = bar.direction == .up ? ChartGlyphs.hollow : ChartGlyphs.solid
        let middle = (columns.count - 1) / 2
        for row in shape.bodyRows {
            for column in 0..<columns.count {
                let glyph =
                    bar.direction == .flat
                    ? (column == middle ? shape.flat : ChartGlyphs.flat)
                    : shape.body(row: row, form).glyph(column: column, of: columns.count)
                prices.put(
                    glyph,
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

    /// The wick in a row; nil if it has none.
    func wick(row: Int) -> Unicode.Scalar? {
        switch (wicks.contains(row * 2), wicks.contains(row * 2 + 1)) {
        case (true, true): ChartGlyphs.wick
        case (true, false): ChartGlyphs.upperWick
        case (false, true): ChartGlyphs.lowerWick
        case (false, false): nil
        }
    }

    /// The body in one of its rows.
    func body(row: Int, _ form: ChartGlyphs.Body) -> ChartGlyphs.BodyPart {
        if !body.contains(row * 2) { return form.lower }
        return body.contains(row * 2 + 1) ? form.full : form.upper
    }

    /// The one row of a body without height, with the wicks that leave it.
    var flat: Unicode.Scalar {
        switch (wicks.lowerBound < body.lowerBound, wicks.upperBound > body.upperBound) {
        case (true, true): ChartGlyphs.flatWithWicks
        case (true, false): ChartGlyphs.flatWithUpperWick
        case (false, true): ChartGlyphs.flatWithLowerWick
        case (false, false): ChartGlyphs.flat
        }
    }
}
