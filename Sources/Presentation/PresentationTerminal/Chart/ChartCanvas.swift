import Domain
import ViewStates

/// The chart of candles or closing prices, laid out for drawing.
struct ChartCanvas {
    /// An average: its color role and values per candle.
    struct Average {
        let average: MovingAverage
        let role: CellStyle.Role
        let closes: [FixedDecimal?]
        /// Empty unless it is a usual one.
        let volumes: [FixedDecimal?]

        /// The window; after `E` if it is exponential.
        var label: String { (average.kind == .simple ? "" : "E") + String(average.window) }
    }

    private static let roles: [CellStyle.Role] = [
        .average1, .average2, .average3, .average4, .average5,
    ]

    let chart: ChartViewState
    let context: ChartContext
    let layout: ChartLayout
    let interval: CandleInterval?
    let slots: ChartSlots
    /// The averages the user wants, the shortest first.
    let averages: [Average]
    let prices: Plot
    let bars: Plot
    /// The price axis; nil without visible candles.
    let axis: ChartAxisColumn?
    /// Up to the largest visible volume; nil without volume.
    let volumeScale: ValueScale?
    /// The columns of the average labels; empty if colors distinguish the averages.
    let averageLabels: Range<Int>
    /// The second market; nil without one or before its candles are known.
    let comparison: ComparisonLine?
    /// The times that are named below the plot.
    let times: [TimeAxis.Label]

    var options: ChartPaneOptions { context.options }

    init(chart: ChartViewState, context: ChartContext, area: FrameArea) {
        let options = context.options
        let layout = ChartLayout(area: area, options: options)
        let averages = Self.averages(chart, options)
        let comparison = ComparisonLine(chart, options)
        let priceAxis = Self.axis(chart, context, comparison, rows: layout.prices.count)
        let axisWidth = priceAxis.map {
            ChartAxisColumn.width(of: $0, texts: Self.axisTexts(chart, context, $0))
        }
        // Three digits at least, and the free column before them.
        let labelColumns =
            context.distinguishesAverages || averages.isEmpty
            ? 0 : averages.reduce(3) { max($0, $1.label.utf8.count) } + 1
        let columns = layout.plotColumns(besideAxis: (axisWidth ?? 0) + labelColumns)
        let isAxisShown = columns != layout.columns
        let labels = columns.upperBound..<(columns.upperBound + (isAxisShown ? labelColumns : 0))
        prices = Plot(rows: layout.prices, columns: columns)
        bars = Plot(rows: layout.bars, columns: columns)
        slots = ChartSlots(chart: chart, span: options.span, width: columns.count)
        averageLabels = labels
        axis = priceAxis.map { [prices] in
            ChartAxisColumn(
                axis: $0,
                plot: prices,
                columns: labels.upperBound..<layout.columns.upperBound
            )
        }
        let most = slots.slots.compactMap { $0.bar?.volume }.max()
        volumeScale = most.flatMap { most in
            most.sign > 0 ? ValueScale(bottom: .zero, top: most) : nil
        }
        interval = CandleInterval(rawValue: chart.interval)
        times = Self.times(slots, interval: interval, width: prices.width)
        self.averages = averages
        self.comparison = comparison
        self.chart = chart
        self.context = context
        self.layout = layout
    }

    func draw(in frame: inout Frame) {
        if !slots.slots.isEmpty {
            let plots = [prices.rows, bars.rows] + layout.studies.map(\.rows)
            let foot = plots.map(\.upperBound).max() ?? prices.rows.upperBound
            let rows = prices.rows.lowerBound..<foot
            frame.mark(.plot(slots.grid), rows: rows, columns: prices.columns)
        }
        drawTitle(in: &frame)
        drawLegend(in: &frame)
        drawTimes(in: &frame)
        drawVolume(in: &frame)
        for pane in layout.studies { drawStudy(pane, in: &frame) }
        guard let axis else {
            drawEmpty(in: &frame)
            return
        }
        axis.drawLabels(context, in: &frame)
        // Back to front: later drawing covers earlier drawing.
        drawGrid(axis, in: &frame)
        drawLastPriceLine(axis, in: &frame)
        drawMissing(in: &frame)
        drawCrosshairLines(axis, in: &frame)
        switch options.style {
        case .candles: drawCandles(axis, in: &frame)
        case .line, .ticks: drawLines(axis, in: &frame)
        }
        drawComparison(axis, in: &frame)
        drawExtremes(axis, in: &frame)
        drawLastPriceTag(axis, in: &frame)
        drawCrosshairTags(axis, in: &frame)
    }

    /// The number of the bucket under the cross-hair, if it is visible.
    var crosshairBucket: Int? {
        options.crosshair.flatMap { slots.bucket(holding: $0, before: options.span.upperBound) }
    }

    /// The candle in a bucket.
    func candle(inBucket bucket: Int) -> Int? {
        guard let slot = slots.slot(ofBucket: bucket) else { return nil }
        let open = slots.opens[bucket]
        let end =
            bucket + 1 < slots.opens.count ? slots.opens[bucket + 1] : options.span.upperBound
        return slot.candles.last {
            chart.candles[$0].openTime >= open && chart.candles[$0].openTime < end
        }
    }

    /// The candle whose figures the title shows: the one under a visible cross-hair, else the
    /// newest.
    var describedCandle: Int? {
        if let bucket = crosshairBucket { return candle(inBucket: bucket) }
        return slots.slots.last { !$0.candles.isEmpty }?.lastCandle
    }

    private func drawEmpty(in frame: inout Frame) {
        let text =
            pastProgress ?? ChartStrings.empty(chart.health.phase, isTicks: false)[context.language]
        context.drawCentered(text, rows: layout.prices, columns: layout.columns, in: &frame)
    }

    private static func averages(
        _ chart: ChartViewState,
        _ options: ChartPaneOptions
    ) -> [Average] {
        // A usual average always has the same color; others have those that are left.
        let usual = Dictionary(uniqueKeysWithValues: zip(MovingAverage.usual, roles))
        let free = roles.filter { role in
            !options.averages.contains { usual[$0] == role }
        }
        let palette = free.isEmpty ? roles : free
        var added = 0
        return options.averages.sorted().map { average in
            if let role = usual[average] {
                return Average(
                    average: average,
                    role: role,
                    closes: chart.candles.map { $0.averages?[.close, average.window] },
                    volumes: chart.candles.map { $0.averages?[.volume, average.window] }
                )
            }
            defer { added += 1 }
            return Average(
                average: average,
                role: palette[added % palette.count],
                closes: chart.indicators?.averages[average] ?? [],
                volumes: []
            )
        }
    }

    private static func times(
        _ slots: ChartSlots,
        interval: CandleInterval?,
        width: Int
    ) -> [TimeAxis.Label] {
        guard let interval else { return [] }
        var columns: [Int] = []
        columns.reserveCapacity(slots.opens.count)
        for slot in slots.slots {
            columns += repeatElement(slots.middle(slot), count: slot.buckets.count)
        }
        return TimeAxis(opens: slots.opens, columns: columns, interval: interval, width: width)
            .labels
    }

    /// The axis over the visible candles; nil without any.
    private static func axis(
        _ chart: ChartViewState,
        _ context: ChartContext,
        _ comparison: ComparisonLine?,
        rows: Int
    ) -> PriceAxis? {
        let options = context.options
        let visible = chart.candles.filter { options.span.contains($0.openTime) }
        guard let first = visible.first, rows > 0,
            let low = visible.map(\.low).min(), let high = visible.map(\.high).max()
        else { return nil }
        let all = [low, high] + (comparison?.points.map(\.price) ?? [])
        let scale = ValueScale(around: (all.min() ?? low)...(all.max() ?? high))
        let base =
            options.isPercent || options.showsComparison ? comparison?.base ?? first.close : nil
        return PriceAxis(scale: scale, quote: context.quote, base: base, rows: rows)
    }

    /// The texts besides its labels that the axis has to hold.
    private static func axisTexts(
        _ chart: ChartViewState,
        _ context: ChartContext,
        _ axis: PriceAxis
    ) -> [String] {
        let options = context.options
        var prices: [FixedDecimal] = []
        if let last = chart.lastPrice, axis.scale.contains(last) { prices.append(last) }
        if let time = options.crosshair,
            let candle = chart.candles.last(where: { $0.openTime <= time })
        {
            prices.append(candle.close)
        }
        return prices.map(axis.text(of:))
    }
}
