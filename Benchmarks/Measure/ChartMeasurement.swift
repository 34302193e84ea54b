import Domain
import ViewStates
import PresentationTerminal
import TestSupport

/// Charts of a long and a short series: invisible candles must cost nothing.
enum ChartMeasurement {
    static let chart = Measurement(name: "chart", run: run)

    private static let size = TerminalSize(columns: 200, rows: 60)
    private static let seriesLengths = [500, 50_000]
    /// The screen's default, and the most it can show.
    private static let visibleCounts = [200, 365]
    /// Many frames a run, because one is too short for the clock.
    private static let framesPerRun = 50
    private static let runs = 31
    private static let end = Timestamp(milliseconds: 1_795_100_700_000)
    private static let interval = CandleInterval.minute1

    private static func run() {
        guard let market = MarketID(symbol: "BTC", quote: .krw) else { return }
        let snapshots = seriesLengths.map { snapshot(market, candles: $0) }
        for visible in visibleCounts {
            // Both in turns, so that other load affects both.
            var times: [[Duration]] = [[], []]
            for _ in 0..<runs {
                for (index, snapshot) in snapshots.enumerated() {
                    times[index].append(frameTime(snapshot, market, visible: visible))
                }
            }
            let medians = times.map { $0.sorted()[$0.count / 2] }
            let ratio = medians[1] / medians[0]
            for (length, median) in zip(seriesLengths, medians) {
                let micros = microseconds(median)
                print("chart: \(visible) of \(length) candles at 200 x 60: \(micros) us a frame")
            }
            print("chart: \(visible) of 50000 against of 500: \(hundredths(ratio)) times")
            let alone = drawingTime(snapshots[1], market, visible: visible)
            print("chart: of it drawing \(visible) candles: \(microseconds(alone)) us")
        }
    }

    /// Builds and draws the visible part, as the screen does for a frame.
    private static func frameTime(
        _ snapshot: BoardSnapshot,
        _ market: MarketID,
        visible: Int
    ) -> Duration {
        let query = query(market, visible: visible)
        let presenter = MarketDetailPresenter(names: CoinNames([:]))
        let options = ChartPaneOptions(span: span(visible))
        return ContinuousClock().measure {
            for _ in 0..<framesPerRun { draw(presenter.chart(snapshot, query), options) }
        } / framesPerRun
    }

    private static func drawingTime(
        _ snapshot: BoardSnapshot,
        _ market: MarketID,
        visible: Int
    ) -> Duration {
        let presenter = MarketDetailPresenter(names: CoinNames([:]))
        let chart = presenter.chart(snapshot, query(market, visible: visible))
        let options = ChartPaneOptions(span: span(visible))
        return Measurement.median(of: runs) {
            for _ in 0..<framesPerRun { draw(chart, options) }
        } / framesPerRun
    }

    private static func draw(_ chart: ChartViewState, _ options: ChartPaneOptions) {
        var frame = Frame(size: size)
        ChartPane.draw(
            chart: chart,
            trades: nil,
            options: options,
            quote: .krw,
            theme: Theme(colors: .trueColor),
            language: .korean,
            into: &frame,
            area: FrameArea(size)
        )
    }

    private static func query(_ market: MarketID, visible: Int) -> MarketDetailQuery {
        var query = MarketDetailQuery(market: market)
        query.interval = interval
        query.candles = .span(span(visible), isNewest: true)
        return query
    }

    private static func span(_ visible: Int) -> Range<Timestamp> {
        let last = interval.bucketStart(of: end)
        return interval.advanced(last, by: 1 - visible)..<interval.nextBucket(after: last)
    }

    /// A board with one market and `count` candles until now.
    private static func snapshot(_ market: MarketID, candles count: Int) -> BoardSnapshot {
        var generator = SeededGenerator(seed: 20_261_120)
        let last = interval.bucketStart(of: end)
        var close: Int64 = 143_000_000
        // Built from the newest backwards, so that both series end with the same candles.
        var candles: [Candle] = []
        for place in 0..<count {
            let open = max(close + Int64.random(in: -90_000...90_000, using: &generator), 1_000)
            candles.append(
                Candle(
                    openTime: interval.advanced(last, by: -place),
                    open: FixedDecimal(open),
                    high: FixedDecimal(max(open, close) + 40_000),
                    low: FixedDecimal(min(open, close) - 500),
                    close: FixedDecimal(close),
                    volume: FixedDecimal(Int64.random(in: 1...900, using: &generator)),
                    origin: .rest
                )
            )
            close = open
        }
        var board = MarketBoard(kind: .simulated)
        let interest = DetailInterest(market: market, facet: .candles(interval))
        let page = CandlePage(
            market: market,
            interval: interval,
            candles: candles.reversed(),
            requestedAt: end,
            answeredAt: end
        )
        _ = board.apply(
            DetailEventBatch(
                events: [.feed(.opened(interest)), .candles(page)],
                receivedAt: end
            )
        )
        precondition(
            board.details[market]?.candles[interval]?.count == count,
            "every candle has to be in its series"
        )
        return BoardSnapshot(board: board, sequence: 1, capturedAt: end)
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        duration.wholeMicroseconds
    }

    private static func hundredths(_ ratio: Double) -> Double {
        (ratio * 100).rounded() / 100
    }
}
