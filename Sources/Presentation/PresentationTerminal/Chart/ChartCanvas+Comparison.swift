import Domain
import ViewStates

/// The last prices of a second market, as the prices that would be the same percentage in the
/// first one; both count from the first visible time at which both are known.
struct ComparisonLine {
    /// A last price of the second market.
    struct Point: Equatable {
        /// When its bucket opens.
        let openTime: Timestamp
        /// Its place among the prices of the first market.
        let price: FixedDecimal
        /// Its percentage.
        let percent: FixedDecimal
    }

    /// The last price of the first market from which both count.
    let base: FixedDecimal
    /// When its bucket opens.
    let start: Timestamp
    /// The two names that tell the markets apart.
    let names: (first: String, second: String)
    /// Ascending by time.
    let points: [Point]

    init?(_ chart: ChartViewState, _ options: ChartPaneOptions) {
        guard options.showsComparison, let comparison = chart.comparison else { return nil }
        let candles = chart.candles.filter { options.span.contains($0.openTime) }
        let visible = comparison.closes.filter { options.span.contains($0.openTime) }
        // While candles are read, the one market may begin months before the other.
        guard let one = candles.first?.openTime, let two = visible.first?.openTime else {
            return nil
        }
        let start = max(one, two)
        guard let base = candles.last(where: { $0.openTime <= start })?.close,
            let startPrice = visible.last(where: { $0.openTime <= start })?.price
        else { return nil }
        self.base = base
        self.start = start
        let (first, second) = (comparison.first, comparison.market)
        names =
            first.symbol == second.symbol
            ? (first.name, second.name) : (first.symbol, second.symbol)
        points = visible.compactMap { close in
            guard let ratio = try? close.price.divided(by: startPrice, rounding: .halfEven),
                let price = try? base.multiplied(by: ratio, rounding: .halfEven),
                let percent = PriceAxis.percent(of: close.price, base: startPrice)
            else { return nil }
            return Point(openTime: close.openTime, price: price, percent: percent)
        }
    }

    /// The newest point before a moment.
    func last(before end: Timestamp) -> Point? { points.last { $0.openTime < end } }
}

extension ChartCanvas {
    /// Unlike prices, averages and bands it has no color.
    static let comparisonRole = CellStyle.Role.plain

    /// A line across buckets without trades, as that of the first market.
    func drawComparison(_ axis: ChartAxisColumn, in frame: inout Frame) {
        guard let comparison else { return }
        var layer = BrailleLayer(columns: prices.width, rows: prices.height)
        var pen = LinePen(role: Self.comparisonRole)
        var index = 0
        for slot in slots.slots {
            let next = slot.buckets.upperBound
            let end = next < slots.opens.count ? slots.opens[next] : options.span.upperBound
            let start = slots.opens[slot.buckets.lowerBound]
            var price: FixedDecimal?
            while index < comparison.points.count, comparison.points[index].openTime < end {
                if comparison.points[index].openTime >= start {
                    price = comparison.points[index].price
                }
                index += 1
            }
            guard let price else { continue }
            let y = axis.axis.scale.place(of: price, steps: layer.height)
            pen.move(to: (slots.middle(slot) * 2, y), in: &layer)
        }
        prices.put(layer, emphasis: context.emphasis, in: &frame)
        // Names the line where colors do not.
        if let last = comparison.points.last {
            let style = context.style(Self.comparisonRole, .bold)
            axis.drawName(comparison.names.second, at: last.price, style: style, in: &frame)
        }
    }

    /// Both markets with their percentages at the described candle.
    var comparisonFigures: [LineSegment] {
        guard let comparison else { return [] }
        let told = describedCandle.map { chart.candles[$0] }
        let rate = told.flatMap { PriceAxis.percent(of: $0.close, base: comparison.base) }
        let end = crosshairBucket.map { bucket in
            bucket + 1 < slots.opens.count ? slots.opens[bucket + 1] : options.span.upperBound
        }
        let other = comparison.last(before: end ?? options.span.upperBound)?.percent
        func text(_ name: String, _ rate: FixedDecimal?) -> String {
            name + " " + (rate.map { NumberText.rate($0) } ?? "-")
        }
        return [
            LineSegment(
                [text(comparison.names.first, rate)],
                style: context.style(.plain, .bold),
                rank: 0
            ),
            LineSegment(
                [text(comparison.names.second, other)],
                style: context.style(Self.comparisonRole, .bold),
                rank: 0
            ),
            LineSegment(
                interval.map { interval in
                    let start = AxisText.bucket(comparison.start, interval: interval)
                    return [ChartStrings.since(start)[context.language]]
                } ?? [],
                style: context.style(.plain, .dim),
                rank: 1
            ),
        ]
    }
}
