import Domain
import ViewStates

/// The newest trades as a line at even distances, laid out for drawing.
struct TickCanvas {
    let trades: TradesViewState?
    let health: HealthViewState
    let context: ChartContext
    let layout: ChartLayout
    /// Oldest first.
    private let rows: [TradesViewState.Row]
    private let plot: Plot
    private let axis: ChartAxisColumn?

    init(
        trades: TradesViewState?,
        health: HealthViewState,
        context: ChartContext,
        area: FrameArea
    ) {
        self.trades = trades
        self.health = trades?.health ?? health
        self.context = context
        let layout = ChartLayout(area: area, options: context.options)
        let newest = trades?.rows.prefix(TradeTape.capacity) ?? []
        let rows: [TradesViewState.Row] = newest.reversed()
        let prices = rows.map(\.price)
        var axis: PriceAxis?
        if let low = prices.min(), let high = prices.max() {
            axis = PriceAxis(
                scale: ValueScale(around: low...high),
                quote: context.quote,
                base: context.options.isPercent ? prices.first : nil,
                rows: layout.prices.count
            )
        }
        let width = axis.map { axis in
            ChartAxisColumn.width(of: axis, texts: prices.last.map { [axis.text(of: $0)] } ?? [])
        }
        let columns = layout.plotColumns(besideAxis: width ?? 0)
        let plot = Plot(rows: layout.prices, columns: columns)
        self.axis = axis.map {
            ChartAxisColumn(
                axis: $0,
                plot: plot,
                columns: columns.upperBound..<layout.columns.upperBound
            )
        }
        self.plot = plot
        self.layout = layout
        self.rows = rows
    }

    func draw(in frame: inout Frame) {
        guard let axis, let first = rows.first, let last = rows.last else {
            let text = ChartStrings.empty(health.phase, isTicks: true)[context.language]
            context.drawCentered(text, rows: layout.prices, columns: layout.columns, in: &frame)
            return
        }
        drawTitle(first: first, last: last, in: &frame)
        drawTimes(in: &frame)
        axis.drawLabels(context, in: &frame)
        let direction = last.tickDirection
        axis.drawLine(
            at: last.price,
            glyph: ChartGlyphs.lastPriceLine,
            style: context.style(direction, .dim),
            in: &frame
        )
        drawLine(axis, in: &frame)
        axis.drawTag(
            last.price,
            mark: direction.sign ?? ChartGlyphs.lastPriceMark,
            style: context.style(direction, .reverse),
            in: &frame
        )
    }

    /// The line; it breaks where trades were lost.
    private func drawLine(_ axis: ChartAxisColumn, in frame: inout Frame) {
        var layer = BrailleLayer(columns: plot.width, rows: plot.height)
        var pen = LinePen(role: .plain)
        let losses = (trades?.gaps ?? []).filter { $0.reason == .missing }
        for index in rows.indices {
            let row = rows[index]
            let earlier = index > 0 ? rows[index - 1].at : row.at
            if losses.contains(where: { $0.from < row.at && $0.to > earlier }) { pen.lift() }
            let y = axis.axis.scale.place(of: row.price, steps: layer.height)
            pen.move(to: (dot(of: index), y), in: &layer)
        }
        plot.put(layer, emphasis: context.emphasis.union(.bold), in: &frame)
    }

    /// The dot column of a trade.
    private func dot(of index: Int) -> Int {
        index * (plot.width * 2 - 1) / max(rows.count - 1, 1)
    }

    private func drawTitle(
        first: TradesViewState.Row,
        last: TradesViewState.Row,
        in frame: inout Frame
    ) {
        guard let row = layout.title else { return }
        let prices = rows.map(\.price)
        let high = prices.max() ?? last.price
        let low = prices.min() ?? last.price
        func segment(_ word: LocalizedText, _ price: FixedDecimal, rank: Int) -> LineSegment {
            let text = NumberText.price(price, quote: context.quote)
            return LineSegment([word[context.language] + " " + text], rank: rank)
        }
        var segments = [
            LineSegment(
                [ChartStrings.trades(rows.count)[context.language]],
                style: context.style(.plain, .bold),
                rank: 2
            ),
            segment(ChartStrings.open, first.price, rank: 4),
            segment(ChartStrings.high, high, rank: 3),
            segment(ChartStrings.low, low, rank: 3),
            segment(ChartStrings.close, last.price, rank: 0),
        ]
        if let percent = PriceAxis.percent(of: last.price, base: first.price) {
            let direction: DirectionViewState =
                percent.isZero ? .flat : (percent.sign > 0 ? .up : .down)
            let style = context.style(direction)
            segments.append(LineSegment([NumberText.rate(percent)], style: style, rank: 1))
        }
        context.draw(segments, row: row, columns: layout.columns, in: &frame)
    }

    private func drawTimes(in frame: inout Frame) {
        guard let row = layout.times else { return }
        let axis = TimeAxis(
            times: rows.map(\.at),
            columns: rows.indices.map { dot(of: $0) / 2 },
            width: plot.width
        )
        for label in axis.labels {
            frame.draw(
                label.text,
                row: row,
                column: plot.columns.lowerBound + label.columns.lowerBound,
                width: label.columns.count,
                style: context.style(.plain, .dim)
            )
        }
    }
}
