import Domain
import ViewStates

/// Draws a chart as SVG: candles or a line, averages, bands, the second market, the volume and the
/// studies, with their axes and values.
///
/// One unit is a pixel. The ground is white; shades are those of the light theme.
struct ChartPicture {
    private static let width = 1_200
    private static let axisWidth = 110
    private static let margin = 12
    private static let pricesHeight = 420
    private static let paneHeight = 110
    private static let lineHeight = 20
    /// The usual width of a character of the texts.
    private static let characterWidth = 8
    /// The distance of the lines of the price axis.
    private static let gridHeight = 60

    private let file: ChartFile
    private let canvas: ChartCanvas
    private let slots: ChartSlots
    private let plotWidth = ChartPicture.width - ChartPicture.axisWidth - 2 * ChartPicture.margin
    private var svg: SVGDocument
    /// The top of the next part, in pixels.
    private var top = 0

    init(_ file: ChartFile) {
        self.file = file
        // The figures of title and legends are those of a wide screen.
        let size = TerminalSize(columns: 150, rows: 100)
        canvas = ChartCanvas(chart: file.chart, context: file.context, area: FrameArea(size))
        // One column for each bucket, so that none is left out; the picture stretches them.
        let span = file.options.span
        let buckets = CandleInterval(rawValue: file.chart.interval)
            .map { $0.bucketCount(from: span.lowerBound, to: span.upperBound) }
        slots = ChartSlots(chart: file.chart, span: span, width: max(buckets ?? 1, 1))
        let panes = (file.options.showsVolume ? 1 : 0) + canvas.layout.studies.count
        let height =
            5 * Self.lineHeight + Self.pricesHeight + panes * (Self.paneHeight + Self.lineHeight)
        svg = SVGDocument(width: Self.width, height: height, title: file.heading)
    }

    /// The document.
    var text: String {
        var picture = self
        picture.drawTexts()
        picture.drawPrices()
        picture.drawVolume()
        for pane in canvas.layout.studies { picture.drawStudy(pane.study) }
        picture.drawTimes()
        return picture.svg.text
    }

    private func color(_ role: CellStyle.Role) -> String {
        let theme = Theme(colors: .trueColor, shades: .light, directions: file.theme.directions)
        guard case .rgb(let red, let green, let blue) = theme.color(of: role) else {
            return "#202020"
        }
        let digits = [red, green, blue].map { part in
            (part < 16 ? "0" : "") + String(part, radix: 16)
        }
        return "#" + digits.joined()
    }

    /// The pixels of a slot's body; a fifth of the slot stays free as a gap.
    private func body(_ slot: ChartSlot) -> Range<Int> {
        let count = max(slots.slots.count, 1)
        let start = slot.columns.lowerBound * plotWidth / count
        let end = (slot.columns.lowerBound + 1) * plotWidth / count
        let width = max(end - start - max((end - start) / 5, 1), 1)
        return (Self.margin + start)..<(Self.margin + start + width)
    }

    /// The middle of a slot's body.
    private func x(_ slot: ChartSlot) -> Int {
        let body = body(slot)
        return body.lowerBound + body.count / 2
    }

    // MARK: Texts

    /// The market, then title and legend as on the screen.
    private mutating func drawTexts() {
        svg.text(file.heading, x: Self.margin, y: Self.lineHeight, color: "#202020", isBold: true)
        var frame = Frame(size: TerminalSize(columns: 150, rows: 2))
        canvas.drawTitle(row: 0, in: &frame)
        canvas.drawLegend(row: 1, in: &frame)
        for line in 0..<2 { drawRow(line, of: frame, y: Self.lineHeight * (line + 2)) }
        top = Self.lineHeight * 3
    }

    /// One row of a frame, in the colors of its cells.
    private mutating func drawRow(_ row: Int, of frame: Frame, y: Int) {
        var spans: [(text: String, role: CellStyle.Role)] = []
        for column in 0..<frame.size.columns {
            let cell = frame.cells[row * frame.size.columns + column]
            let text = cell.text
            if spans.last?.role == cell.style.role {
                spans[spans.count - 1].text += text
            } else {
                spans.append((text, cell.style.role))
            }
        }
        svg.text(spans.map { ($0.text, color($0.role)) }, x: Self.margin, y: y)
    }

    // MARK: Prices

    private mutating func drawPrices() {
        defer { top += Self.pricesHeight }
        guard let axis = canvas.axis?.axis else {
            let text = ChartStrings.empty(file.chart.health.phase, isTicks: false)[file.language]
            svg.text(text, x: Self.margin, y: top + Self.lineHeight, color: "#606060")
            return
        }
        let scale = axis.scale
        let high = top
        func y(_ price: FixedDecimal) -> Int {
            high + scale.place(of: price, steps: Self.pricesHeight)
        }
        let right = Self.margin + plotWidth
        for price in axis.marks(count: Self.pricesHeight / Self.gridHeight) {
            svg.line(x: Self.margin, y: y(price), toX: right, y: y(price), color: "#e0e0e0")
            svg.text(axis.text(of: price), x: right + 8, y: y(price) + 5, color: "#606060")
        }
        svg.beginClip(x: Self.margin, y: top, width: plotWidth, height: Self.pricesHeight)
        if file.options.style == .candles {
            for slot in slots.slots { drawCandle(slot, y) }
        }
        for line in canvas.priceLines.reversed() {
            polyline(line.values, color(line.role), y)
        }
        if file.options.style != .candles {
            let closes = file.chart.candles.map { Optional($0.close) }
            polyline(closes, "#202020", width: 2, y)
        }
        drawComparison(y)
        svg.endClip()
        if let last = file.chart.lastPrice, scale.contains(last) {
            svg.line(
                x: Self.margin,
                y: y(last),
                toX: right,
                y: y(last),
                color: "#909090",
                isDashed: true
            )
            svg.text(
                axis.text(of: last),
                x: right + 8,
                y: y(last) + 5,
                color: "#202020",
                isBold: true
            )
        }
    }

    private mutating func drawCandle(_ slot: ChartSlot, _ y: (FixedDecimal) -> Int) {
        guard let bar = slot.bar else { return }
        let color = color(CellStyle.Role(bar.direction))
        let body = body(slot)
        let (open, close) = (y(bar.open), y(bar.close))
        let (high, low) = (min(y(bar.high), open, close), max(y(bar.low), open, close))
        svg.line(x: x(slot), y: high, toX: x(slot), y: low, color: color)
        svg.rectangle(
            x: body.lowerBound,
            y: min(open, close),
            width: body.count,
            height: max(abs(open - close), 1),
            color: color
        )
    }

    private mutating func drawComparison(_ y: (FixedDecimal) -> Int) {
        guard let comparison = canvas.comparison else { return }
        var points: [(x: Int, y: Int)] = []
        for slot in slots.slots {
            let next = slot.buckets.upperBound
            let end = next < slots.opens.count ? slots.opens[next] : file.options.span.upperBound
            guard let point = comparison.last(before: end),
                point.openTime >= slots.opens[slot.buckets.lowerBound]
            else { continue }
            points.append((x(slot), y(point.price)))
        }
        svg.polyline(points, color: color(ChartCanvas.comparisonRole), width: 2)
    }

    /// A line through values of candles, broken where they are unknown or trades were lost.
    private mutating func polyline(
        _ values: [FixedDecimal?],
        _ color: String,
        width: Int = 1,
        _ y: (FixedDecimal) -> Int
    ) {
        var points: [(x: Int, y: Int)] = []
        for slot in slots.slots {
            if slot.isMissing, slot.bar == nil {
                svg.polyline(points, color: color, width: width)
                points = []
            }
            guard let candle = slot.lastCandle, values.indices.contains(candle),
                let value = values[candle]
            else { continue }
            points.append((x(slot), y(value)))
        }
        svg.polyline(points, color: color, width: width)
    }

    // MARK: Panes

    /// Begins a pane below the last one, with its figures.
    ///
    /// - Returns: where its plot begins.
    private mutating func beginPane(_ figures: [LineSegment]) -> Int {
        let y = top + Self.lineHeight
        svg.line(x: Self.margin, y: top, toX: Self.width - Self.margin, y: top, color: "#c0c0c0")
        var frame = Frame(size: TerminalSize(columns: 150, rows: 1))
        canvas.context.draw(figures, row: 0, columns: 0..<150, in: &frame)
        drawRow(0, of: frame, y: y - 4)
        top = y + Self.paneHeight
        return y
    }

    private mutating func drawVolume() {
        guard file.options.showsVolume else { return }
        let start = beginPane(canvas.volumeFigures)
        guard let most = slots.slots.compactMap({ $0.bar?.volume }).max(), most.sign > 0 else {
            return
        }
        let scale = ValueScale(bottom: .zero, top: most)
        for slot in slots.slots {
            guard let bar = slot.bar else { continue }
            let height = scale.height(of: bar.volume, steps: Self.paneHeight - 4)
            let body = body(slot)
            svg.rectangle(
                x: body.lowerBound,
                y: start + Self.paneHeight - height,
                width: body.count,
                height: height,
                color: color(CellStyle.Role(bar.direction))
            )
        }
        axisText(AxisText.compact(most), y: start + Self.lineHeight / 2)
    }

    private mutating func drawStudy(_ study: ChartStudy) {
        let indicators = file.chart.indicators
        switch study {
        case .bands: return
        case .strength:
            let start = beginPane(canvas.figures(of: study))
            let scale = ValueScale(bottom: .zero, top: FixedDecimal(100))
            func y(_ value: FixedDecimal) -> Int {
                start + scale.place(of: value, steps: Self.paneHeight)
            }
            for level in ChartCanvas.strengthLevels {
                let right = Self.margin + plotWidth
                let at = y(level)
                svg.line(x: Self.margin, y: at, toX: right, y: at, color: "#d0d0d0")
                axisText(NumberText.grouped(level, fractionDigitsMin: 0), y: at)
            }
            polyline(indicators?.strength ?? [], color(ChartCanvas.lineRole), y)
        case .convergence:
            let start = beginPane(canvas.figures(of: study))
            drawConvergence(indicators?.convergence ?? [], from: start)
        }
    }

    private mutating func drawConvergence(_ values: [MACD.Value?], from start: Int) {
        guard let bound = canvas.convergenceBound(values, slots) else { return }
        let scale = ValueScale(bottom: FixedDecimal(units: 0 &- bound.units), top: bound)
        func y(_ value: FixedDecimal) -> Int {
            start + scale.place(of: value, steps: Self.paneHeight)
        }
        let zero = y(.zero)
        for slot in slots.slots {
            guard let candle = slot.lastCandle, values.indices.contains(candle),
                let value = values[candle]?.histogram
            else { continue }
            let body = body(slot)
            let end = y(value)
            svg.rectangle(
                x: body.lowerBound,
                y: min(zero, end),
                width: body.count,
                height: max(abs(zero - end), 1),
                color: color(value.sign < 0 ? .down : .up)
            )
        }
        polyline(values.map { $0?.signal }, color(ChartCanvas.signalRole), y)
        polyline(values.map { $0?.line }, color(ChartCanvas.lineRole), y)
        axisText(canvas.signedText(bound), y: start + Self.lineHeight / 2)
        axisText("0", y: zero)
    }

    private mutating func axisText(_ text: String, y: Int) {
        svg.text(text, x: Self.margin + plotWidth + 8, y: y + 5, color: "#606060")
    }

    private mutating func drawTimes() {
        guard let interval = CandleInterval(rawValue: file.chart.interval) else { return }
        var columns: [Int] = []
        for slot in slots.slots {
            let column = (x(slot) - Self.margin) / Self.characterWidth
            columns += repeatElement(column, count: slot.buckets.count)
        }
        let axis = TimeAxis(
            opens: slots.opens,
            columns: columns,
            interval: interval,
            width: plotWidth / Self.characterWidth
        )
        for label in axis.labels {
            let x = Self.margin + label.columns.lowerBound * Self.characterWidth
            svg.text(label.text, x: x, y: top + Self.lineHeight, color: "#606060")
        }
    }
}
