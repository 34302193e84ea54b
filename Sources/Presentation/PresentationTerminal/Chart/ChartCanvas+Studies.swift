import Domain
import ViewStates

/// Bollinger bands over the prices; RSI and MACD in panes below them.
extension ChartCanvas {
    private static let bandRole = CellStyle.Role.bands
    static let lineRole = CellStyle.Role.average1
    static let signalRole = CellStyle.Role.average3
    /// Below it a market counts as oversold, above the other one as overbought.
    static let strengthLevels = [FixedDecimal(70), FixedDecimal(30)]
    private static let levelColumns = 2

    /// The lines over the prices, those at the back last.
    var priceLines: [(role: CellStyle.Role, values: [FixedDecimal?])] {
        let lines: [(role: CellStyle.Role, values: [FixedDecimal?])] =
            averages.map { (role: $0.role, values: $0.closes) }
        guard options.studies.contains(.bands), let bands = chart.indicators?.bands else {
            return lines
        }
        let parts: [KeyPath<BollingerBands, FixedDecimal>] = [\.middle, \.upper, \.lower]
        return lines
            + parts.map { part in
                (role: Self.bandRole, values: bands.map { $0?[keyPath: part] })
            }
    }

    /// The bands of the described candle, from the top.
    var bandFigures: [LineSegment] {
        guard options.studies.contains(.bands) else { return [] }
        let bands = described(chart.indicators?.bands ?? [])
        let texts = bands.map { [$0.upper, $0.middle, $0.lower].map(signedText) } ?? ["-"]
        let text = ChartStrings.bands[context.language] + " " + texts.joined(separator: " ")
        return [LineSegment([text], style: context.style(Self.bandRole), rank: 2)]
    }

    /// Draws the divider with the figures of the described candle, and the plot.
    func drawStudy(_ pane: ChartLayout.StudyPane, in frame: inout Frame) {
        let plot = Plot(rows: pane.rows, columns: prices.columns)
        drawDivider(row: pane.divider, figures(of: pane.study), in: &frame)
        switch pane.study {
        // They lie over the prices and have no pane.
        case .bands: break
        case .strength: drawStrength(plot, in: &frame)
        case .convergence: drawConvergence(plot, in: &frame)
        }
        drawCrosshair(plot, in: &frame)
    }

    /// The values of a pane at the described candle.
    func figures(of study: ChartStudy) -> [LineSegment] {
        switch study {
        case .bands: bandFigures
        case .strength: strengthFigures
        case .convergence: convergenceFigures
        }
    }

    private var strengthFigures: [LineSegment] {
        let value = described(chart.indicators?.strength ?? [])
        let text = "RSI 14 " + (value.map(Self.indexText) ?? "-")
        return [LineSegment([text], style: context.style(Self.lineRole), rank: 0)]
    }

    private func drawStrength(_ plot: Plot, in frame: inout Frame) {
        let scale = ValueScale(bottom: .zero, top: FixedDecimal(100))
        for level in Self.strengthLevels {
            let row = scale.position(of: level, steps: plot.height)
            for column in stride(from: 0, to: plot.width, by: Self.levelColumns) {
                let glyph = ChartGlyphs.grid
                let style = context.style(.plain, .dim)
                plot.put(glyph, row: row, column: column, style: style, in: &frame)
            }
            drawAxisText(Self.wholeText(level), plot, row: row, in: &frame)
        }
        let line = [(role: Self.lineRole, values: chart.indicators?.strength ?? [])]
        drawAverages(line, scale: scale, in: plot, &frame)
    }

    private var convergenceFigures: [LineSegment] {
        let value = described(chart.indicators?.convergence ?? [])
        func segment(
            _ word: String,
            _ value: FixedDecimal?,
            _ role: CellStyle.Role,
            rank: Int
        ) -> LineSegment {
            let text = word + " " + (value.map(signedText) ?? "-")
            return LineSegment([text], style: context.style(role), rank: rank)
        }
        let (signal, histogram) = (ChartStrings.signal, ChartStrings.histogram)
        return [
            segment("MACD 12,26,9", value?.line, Self.lineRole, rank: 0),
            segment(signal[context.language], value?.signal, Self.signalRole, rank: 1),
            segment(histogram[context.language], value?.histogram, .plain, rank: 2),
        ]
    }

    /// The histogram as bars from zero, the lines over them.
    private func drawConvergence(_ plot: Plot, in frame: inout Frame) {
        let all = chart.indicators?.convergence ?? []
        guard let bound = convergenceBound(all, slots) else { return }
        let scale = ValueScale(bottom: FixedDecimal(units: 0 &- bound.units), top: bound)
        for slot in slots.slots {
            guard let candle = slot.lastCandle, all.indices.contains(candle),
                let value = all[candle]?.histogram, !value.isZero
            else { continue }
            drawHistogram(value, in: slots.bodyRange(slot), scale, plot, &frame)
        }
        let lines = [
            (role: Self.lineRole, values: all.map { $0?.line }),
            (role: Self.signalRole, values: all.map { $0?.signal }),
        ]
        drawAverages(lines, scale: scale, in: plot, &frame)
        let short = AxisText.compact(bound)
        drawAxisText(signedText(bound), or: short, plot, row: 0, in: &frame)
        if plot.height > 2 {
            drawAxisText(Self.wholeText(.zero), plot, row: plot.height / 2, in: &frame)
        }
    }

    /// The largest distance from zero of what is visible; nil if all is zero or unknown.
    func convergenceBound(_ values: [MACD.Value?], _ slots: ChartSlots) -> FixedDecimal? {
        let visible = slots.slots.compactMap { slot in
            slot.lastCandle.flatMap { values.indices.contains($0) ? values[$0] : nil }
        }
        let figures = visible.flatMap { [$0.line, $0.signal, $0.histogram].compactMap(\.self) }
        guard let most = figures.map(\.units.magnitude).max(), most > 0,
            let bound = Int128(exactly: most), bound < .max / 2
        else { return nil }
        return FixedDecimal(units: bound)
    }

    private func drawHistogram(
        _ value: FixedDecimal,
        in columns: Range<Int>,
        _ scale: ValueScale,
        _ plot: Plot,
        _ frame: inout Frame
    ) {
        // Two steps are a row; zero lies between the steps of both halves.
        let end = scale.position(of: value, steps: plot.height * 2)
        let filled =
            value.sign > 0
            ? min(end, plot.height - 1)..<plot.height
            : plot.height..<(max(end, plot.height) + 1)
        let style = context.style(value.sign > 0 ? .up : .down)
        for row in (filled.lowerBound / 2)...((filled.upperBound - 1) / 2) {
            let upper = filled.contains(row * 2)
            let lower = filled.contains(row * 2 + 1)
            // Blocks in adjacent columns would be a wall.
            let glyph =
                slots.isTight
                ? ChartGlyphs.line(upper: upper ? .body : .blank, lower: lower ? .body : .blank)
                : upper && lower
                    ? ChartGlyphs.block : upper ? ChartGlyphs.upperBlock : ChartGlyphs.lowerBlock
            for column in columns {
                plot.put(glyph, row: row, column: column, style: style, in: &frame)
            }
        }
    }

    private func drawCrosshair(_ plot: Plot, in frame: inout Frame) {
        guard let bucket = crosshairBucket, let slot = slots.slot(ofBucket: bucket) else { return }
        let column = slots.middle(slot)
        for row in 0..<plot.height where frame.isBlank(plot, row: row, column: column) {
            drawCrosshairCell(plot, row: row, column: column, in: &frame)
        }
    }

    /// Draws a text beside a plot, the short one if only that fits, else none.
    private func drawAxisText(
        _ text: String,
        or short: String? = nil,
        _ plot: Plot,
        row: Int,
        in frame: inout Frame
    ) {
        guard let axis, row < plot.height,
            let fitting = [text, short ?? text].first(where: { $0.utf8.count < axis.columns.count })
        else { return }
        frame.draw(
            fitting,
            row: plot.rows.lowerBound + row,
            column: axis.columns.lowerBound + 1,
            width: axis.columns.count - 1,
            alignment: .trailing,
            style: context.style()
        )
    }

    /// The value of the described candle.
    private func described<Value>(_ values: [Value?]) -> Value? {
        describedCandle.flatMap { values.indices.contains($0) ? values[$0] : nil }
    }

    /// Formatted like a price of its magnitude, with a sign if negative.
    func signedText(_ value: FixedDecimal) -> String {
        guard value.sign < 0 else { return averageText(value) }
        return "-" + averageText(FixedDecimal(units: 0 &- value.units))
    }

    private static func indexText(_ value: FixedDecimal) -> String {
        let rounded = try? value.rounded(toFractionDigits: 2, .halfAwayFromZero)
        return NumberText.grouped(rounded ?? value, fractionDigitsMin: 2)
    }

    private static func wholeText(_ value: FixedDecimal) -> String {
        NumberText.grouped(value, fractionDigitsMin: 0)
    }
}
