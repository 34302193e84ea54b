import Domain
import ViewStates

extension ChartCanvas {
    /// Draws the divider with the volume of the described candle, then the bars with their
    /// averages.
    func drawVolume(in frame: inout Frame) {
        guard let divider = layout.divider else { return }
        drawDivider(row: divider, volumeFigures, in: &frame)
        guard let scale = volumeScale else { return }
        drawAverages(averages.map { ($0.role, $0.volumes) }, scale: scale, in: bars, &frame)
        for slot in slots.slots {
            guard let bar = slot.bar else { continue }
            drawBar(bar, in: slots.bodyRange(slot), scale, &frame)
        }
        guard let axis, axis.columns.count > 1 else { return }
        let most = FixedDecimal(units: scale.top)
        frame.draw(
            AxisText.compact(most),
            row: bars.rows.lowerBound,
            column: axis.columns.lowerBound + 1,
            width: axis.columns.count - 1,
            alignment: .trailing,
            style: context.style()
        )
    }

    private func drawBar(
        _ bar: ChartBar,
        in columns: Range<Int>,
        _ scale: ValueScale,
        _ frame: inout Frame
    ) {
        // Blocks in adjacent columns would be a wall.
        let glyphs = slots.isTight ? ChartGlyphs.thinBar : ChartGlyphs.eighths
        let perRow = glyphs.count
        var rest = scale.height(of: bar.volume, steps: bars.height * perRow)
        var row = bars.height - 1
        // In line style only the color would show the direction of a bucket, so the bars stay
        // plain, and weaker than the line.
        let style =
            options.style == .candles ? context.style(bar.direction) : context.style(.plain, .dim)
        while rest > 0, row >= 0 {
            let glyph = glyphs[min(rest, perRow) - 1]
            for column in columns {
                bars.put(glyph, row: row, column: column, style: style, in: &frame)
            }
            rest -= perRow
            row -= 1
        }
    }

    /// Draws a line through all columns with figures on it.
    func drawDivider(row: Int, _ figures: [LineSegment], in frame: inout Frame) {
        let line = Plot(rows: row..<(row + 1), columns: layout.columns)
        for column in 0..<line.width {
            line.put(
                ChartGlyphs.divider,
                row: 0,
                column: column,
                style: context.style(.plain, .dim),
                in: &frame
            )
        }
        context.draw(figures, row: row, columns: layout.columns, in: &frame)
    }

    /// The volume of the described candle and its averages.
    var volumeFigures: [LineSegment] {
        let told = describedCandle
        let label = ChartStrings.volume[context.language]
        let value = told.map { NumberText.quantity(chart.candles[$0].volume) } ?? "-"
        var segments = [LineSegment([label + " " + value, label], rank: 0)]
        for (place, average) in averages.enumerated() {
            guard let told, average.volumes.indices.contains(told),
                let volume = average.volumes[told]
            else { continue }
            let text = average.label + " " + AxisText.compact(volume)
            segments.append(
                LineSegment([text], style: context.style(average.role), rank: place + 1)
            )
        }
        return segments
    }
}
