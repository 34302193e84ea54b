import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Random charts of random sizes stay within their area", .tags(.manyCases))
struct ChartPropertyTests {
    private static let sentinel: Unicode.Scalar = "@"

    @Test(
        "Drawing outside the area does not occur, and every line keeps its width",
        arguments: Cases.seeds(150, of: 400)
    )
    func staysInside(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let random = RandomChart(&generator)
        let size = TerminalSize(
            columns: Int.random(in: 1...(seed % 5 == 0 ? 260 : 90), using: &generator),
            rows: Int.random(in: 1...(seed % 5 == 0 ? 70 : 30), using: &generator)
        )
        func range(_ count: Int) -> Range<Int> {
            let first = Int.random(in: 0...count, using: &generator)
            return first..<Int.random(in: first...(count + 3), using: &generator)
        }
        let whole = FrameArea(size)
        let area =
            seed % 3 == 0
            ? whole : FrameArea(rows: range(size.rows), columns: range(size.columns))
        var frame = Frame(size: size)
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                frame.put(Self.sentinel, row: row, column: column, style: .bold)
            }
        }
        for row in area.clamped(to: whole).rows {
            frame.fill(row: row, columns: area.columns)
        }
        ChartPane.draw(
            chart: random.chart,
            trades: random.trades,
            options: random.options,
            quote: Bool.random(using: &generator) ? .krw : .btc,
            theme: Theme(colors: ColorDepth.allCases.randomElement(using: &generator) ?? .none),
            language: Bool.random(using: &generator) ? .korean : .english,
            into: &frame,
            area: area
        )
        let wrong = frame.cells.indices.filter { index in
            let isInside =
                area.rows.contains(index / size.columns)
                && area.columns.contains(index % size.columns)
            return (frame.cells[index].base == Self.sentinel.value) == isInside
        }
        #expect(wrong.isEmpty, "of \(size.columns) columns, in \(area)")
        for line in frame.lines { #expect(TextWidth.columns(line) == size.columns) }
        #expect(frame.cursor == nil)
    }

    @Test("Every visible candle has a cell in its column", arguments: Cases.seeds(150, of: 400))
    func candlesShow(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var random = RandomChart(&generator)
        random.options.style = .candles
        random.options.crosshair = nil
        random.chart.lastPrice = nil
        random.chart.gaps = []
        let area = FrameArea(
            TerminalSize(
                columns: Int.random(in: 1...200, using: &generator),
                rows: Int.random(in: 1...60, using: &generator)
            )
        )
        let canvas = random.canvas(area)
        var frame = Frame(size: TerminalSize(columns: area.columns.count, rows: area.rows.count))
        canvas.draw(in: &frame)
        let first = canvas.slots.opens.first
        let visible = random.chart.candles.filter { candle in
            random.options.span.contains(candle.openTime)
                && first.map { candle.openTime >= $0 } ?? false
        }
        let held = canvas.slots.slots.reduce(0) { $0 + $1.candles.count }
        #expect(held == visible.count)
        for slot in canvas.slots.slots {
            let column = canvas.prices.columns.lowerBound + canvas.slots.middle(slot)
            let isBlank = canvas.prices.rows.allSatisfy {
                frame.cells[$0 * frame.size.columns + column] == .blank
            }
            if slot.bar != nil { #expect(!isBlank, "column \(column)") }
        }
    }

    @Test(
        "The highest price is at the top of the plot, the lowest at the bottom",
        arguments: Cases.seeds(150, of: 400)
    )
    func scaleFits(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let candles = ChartSamples.walk(
            Int.random(in: 2...60, using: &generator),
            from: Int64.random(in: 10...200_000_000, using: &generator),
            step: Int64.random(in: 4...50_000, using: &generator),
            seed: seed
        )
        let rows = Int.random(in: 1...80, using: &generator)
        let high = try #require(candles.map(\.high).max())
        let low = try #require(candles.map(\.low).min())
        let scale = ValueScale(around: low...high)
        #expect(scale.position(of: high, steps: rows * 2) / 2 <= rows / 16)
        #expect(scale.position(of: low, steps: rows * 2) / 2 >= rows - 1 - rows / 16)
        for candle in candles {
            let shape = CandleShape(ChartBar(candle), scale: scale, rows: rows)
            #expect(shape.rows.lowerBound >= 0 && shape.rows.upperBound < rows)
            #expect(shape.wicks.lowerBound <= shape.body.lowerBound)
            #expect(shape.wicks.upperBound >= shape.body.upperBound)
        }
    }

    @Test("Scales preserve the order of values", arguments: 0..<200)
    func orderIsKept(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bits = Int.random(in: 0...126, using: &generator)
        let values = (0..<20).map { _ in
            FixedDecimal(units: RandomChart.units(&generator) >> Int128(bits))
        }.sorted()
        let scale = ValueScale(around: values[3]...values[16])
        let steps = Int.random(in: 1...4_000, using: &generator)
        let places = values.map { scale.position(of: $0, steps: steps) }
        #expect(places == places.sorted(by: >))
        #expect(places.allSatisfy { (0..<steps).contains($0) })
        let heights = values.map { scale.height(of: $0, steps: steps) }
        #expect(heights == heights.sorted())
        #expect(heights.allSatisfy { (0...steps).contains($0) })
    }
}

/// A chart, trades and settings such as no market may ever have.
struct RandomChart {
    var chart: ChartViewState
    var trades: TradesViewState?
    var options: ChartPaneOptions

    init(_ generator: inout SeededGenerator) {
        let interval = CandleInterval.allCases.randomElement(using: &generator) ?? .day1
        let first = interval.bucketStart(
            of: Timestamp(
                microseconds: Int64.random(in: 0...2_000_000_000_000_000, using: &generator)
            )
        )
        let buckets = Int.random(in: 0...400, using: &generator)
        let shift = Int.random(in: 0...126, using: &generator)
        let isWild = Bool.random(using: &generator)
        func decimal() -> FixedDecimal {
            if isWild { return FixedDecimal(units: Self.units(&generator) >> Int128(shift)) }
            return FixedDecimal(Int64.random(in: 0...200, using: &generator))
        }
        let density = Int.random(in: 0...4, using: &generator)
        let places = (-5..<(buckets + 5)).filter { _ in
            Int.random(in: 0...3, using: &generator) < density
        }
        let candles = places.map { place in
            ChartSamples.candle(
                interval.advanced(first, by: place),
                decimal(),
                decimal(),
                decimal(),
                decimal(),
                volume: decimal()
            )
        }
        let phases: [HealthViewState.Phase] = [.loading, .ready, .stale, .failed, .ended]
        let gaps = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            let from = Int.random(in: -3...max(buckets, 1), using: &generator)
            let to = from + Int.random(in: 0...40, using: &generator)
            return GapViewState(
                from: interval.advanced(first, by: from),
                to: interval.advanced(first, by: to),
                reason: Bool.random(using: &generator) ? .missing : .noTrade
            )
        }
        chart = ChartSamples.chart(
            candles,
            interval,
            lastPrice: Bool.random(using: &generator) ? decimal() : nil,
            gaps: gaps,
            health: Samples.health(phases.randomElement(using: &generator) ?? .ready)
        )
        if Bool.random(using: &generator) { chart.setLastAverage(decimal()) }
        options = Self.options(first..<interval.advanced(first, by: buckets), &generator)
        if Bool.random(using: &generator) {
            let place = Int.random(in: -5...(buckets + 5), using: &generator)
            options.crosshair = interval.advanced(first, by: place)
        }
        trades = nil
        if Bool.random(using: &generator) {
            let rows = (0..<Int.random(in: 0...600, using: &generator)).map { place in
                ChartSamples.trade(
                    first.advanced(by: .seconds(-place)),
                    decimal(),
                    after: Bool.random(using: &generator) ? decimal() : nil
                )
            }
            trades = TradesViewState(
                health: ChartSamples.ready,
                rows: rows,
                dropped: 0,
                gaps: gaps
            )
        }
    }

    private static func options(
        _ span: Range<Timestamp>,
        _ generator: inout SeededGenerator
    ) -> ChartPaneOptions {
        var options = ChartPaneOptions(span: span)
        options.style = ChartPaneOptions.Style.allCases.randomElement(using: &generator) ?? .line
        options.isPercent = Bool.random(using: &generator)
        options.averages = options.averages.filter { _ in Bool.random(using: &generator) }
        if Bool.random(using: &generator) {
            options.averages.insert(MovingAverage(.exponential, window: 12))
        }
        options.studies = Set(ChartStudy.allCases.filter { _ in Bool.random(using: &generator) })
        options.showsVolume = Bool.random(using: &generator)
        options.volumeRows =
            Bool.random(using: &generator) ? Int.random(in: -5...60, using: &generator) : nil
        return options
    }

    /// The candles laid out in an area.
    func canvas(_ area: FrameArea) -> ChartCanvas {
        let context = ChartContext(
            options: options,
            quote: .krw,
            theme: Theme(colors: .trueColor),
            language: .korean,
            health: ChartSamples.ready
        )
        return ChartCanvas(chart: chart, context: context, area: area)
    }

    /// Any number that fits.
    static func units(_ generator: inout SeededGenerator) -> Int128 {
        Int128(truncatingIfNeeded: UInt128(generator.next()) << 64 | UInt128(generator.next()))
    }
}

extension ChartViewState {
    /// Gives the last candle one average of the close prices.
    fileprivate mutating func setLastAverage(_ average: FixedDecimal) {
        guard let place = candles.indices.last else { return }
        candles[place].averages = CandleAverages(windows: [5]) { measure, _ in
            measure == .close ? average : nil
        }
    }
}
