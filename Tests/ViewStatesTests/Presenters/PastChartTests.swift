import Domain
import ViewStates
import TestSupport
import Testing

@Suite("Charts of the past say how much of it is known")
struct PastChartTests {
    private static let market: MarketID = "XRP_KRW"
    private static let first = CandleInterval.minute1.bucketStart(of: SampleBoard.start)
        .advanced(by: .seconds(-600))

    private static func candle(_ openTime: Timestamp) -> Candle {
        Candle(
            openTime: openTime,
            open: "5",
            high: "9",
            low: "5",
            close: "7",
            volume: "1",
            origin: .rest
        )
    }

    private static let query: MarketDetailQuery = {
        var query = MarketDetailQuery(market: market)
        query.interval = .minute1
        query.candles = .newest(count: 30, before: first)
        return query
    }()

    private static var blocks: [CandleBlock] {
        query.candleInterests.compactMap { interest in
            if case .pastCandles(let block) = interest.facet { block } else { nil }
        }
        .sorted { $0.start > $1.start }
    }

    private func sample() -> SampleBoard {
        var sample = SampleBoard.live()
        sample.open(Self.market, .candles(.minute1))
        for block in Self.blocks { sample.open(Self.market, .pastCandles(block)) }
        let times = (0..<10).map { Self.first.advanced(by: .seconds($0 * 60)) }
        sample.candles(Self.market, .minute1, times.map(Self.candle))
        return sample
    }

    private func page(_ block: CandleBlock) -> CandleBlockPage {
        let times = (0..<CandleBlock.bucketCount(of: .minute1)).map {
            block.start.advanced(by: .seconds($0 * 60))
        }
        return CandleBlockPage(
            market: Self.market,
            block: block,
            candles: times.filter { $0 < Self.first }.map(Self.candle),
            isBeginning: false
        )
    }

    private func chart(_ sample: inout SampleBoard) -> ChartViewState {
        MarketDetailPresenter(names: .sample).chart(sample.snapshot(), Self.query)
    }

    @Test("candles before the series are counted until all are read, with their averages")
    func progress() throws {
        var sample = sample()
        let query = DocumentQuery.candles(Self.query)
        var chart = chart(&sample)
        #expect(chart.candles.isEmpty && !chart.health.complete)
        #expect(chart.health.known == 0 && chart.health.of == 149)
        #expect(!query.isReady(in: sample.snapshot().board))
        for block in Self.blocks { sample.applyDetails(.pastCandles(page(block))) }
        chart = self.chart(&sample)
        #expect(chart.candles.count == 30 && chart.health.complete)
        #expect(chart.candles.last?.openTime == Self.first.advanced(by: .seconds(-60)))
        #expect(chart.health.known == 149 && chart.health.of == 149)
        #expect(chart.candles.allSatisfy { $0.averages?[.close, 120] == "7" })
        #expect(chart.gaps.isEmpty)
        #expect(query.isReady(in: sample.snapshot().board))
    }

    @Test("a failed block is named, and the newest candles need none")
    func failed() throws {
        var sample = sample()
        let interest = DetailInterest(
            market: Self.market,
            facet: .pastCandles(try #require(Self.blocks.first))
        )
        let failure = FeedFailure(code: .unserved, detail: "1m", isRetryable: true)
        sample.applyDetails(
            .feed(.failed(interest, failure, nextRetryAt: sample.now.advanced(by: .seconds(60))))
        )
        let chart = chart(&sample)
        #expect(chart.health.error?.code == "unserved")
        #expect(chart.health.error?.message == "이 API에서는 제공되지 않음")
        #expect(chart.health.error?.retryable == true && !chart.health.complete)
        var newest = Self.query
        newest.candles = .newest(count: 30, before: nil)
        #expect(newest.candleInterests.count == 1)
        let other = MarketDetailPresenter(names: .sample).chart(sample.snapshot(), newest)
        #expect(other.health.error == nil && other.health.known == nil && other.health.complete)
    }

    @Test("candles that the series has need no block, and no count")
    func held() {
        var sample = sample()
        var query = Self.query
        query.candles = .at(Self.first.advanced(by: .seconds(120)))
        for block in Self.blocks { sample.applyDetails(.pastCandles(page(block))) }
        let chart = MarketDetailPresenter(names: .sample).chart(sample.snapshot(), query)
        #expect(chart.candles.count == 1 && chart.health.complete)
        #expect(chart.candles.first?.averages?[.close, 120] == "7")
    }

    @Test(
        "the newest candles need past ones where they are more than a series has",
        arguments: [
            (.minute1, 1_481, false), (.minute1, 1_482, true), (.day1, 881, false),
            (.day1, 3_000, true), (.hours12, 131, false), (.hours12, 132, true),
            (.week1, 200, true), (.month1, 1, true),
        ] as [(CandleInterval, Int, Bool)]
    )
    func reach(interval: CandleInterval, count: Int, isLong: Bool) {
        var query = MarketDetailQuery(market: Self.market)
        query.interval = interval
        query.candles = .newest(count: count, before: nil)
        let facet = DetailFacet.newestCandles(interval, count: count + 119)
        #expect(
            query.candleInterests.map(\.facet).contains(facet) == isLong
        )
        #expect(query.candleInterests.count == (isLong ? 2 : 1))
        query.averageWindows = []
        query.candles = .newest(count: 10, before: nil)
        #expect(query.candleInterests.count == 1)
    }

    @Test(
        "a chart of the newest candles reads past ones where its averages begin before the series",
        arguments: [
            (CandleInterval.hours12, 100, 20, false), (.hours12, 100, 300, true),
            (.hours12, 300, 20, true), (.minute1, 100, 400, false),
        ]
    )
    func lead(interval: CandleInterval, buckets: Int, window: Int, isLong: Bool) {
        var query = MarketDetailQuery(market: Self.market)
        query.interval = interval
        query.averageWindows = []
        query.indicators = IndicatorSelection(averages: [MovingAverage(.simple, window: window)])
        let end = interval.advanced(Self.first, by: 1)
        query.candles = .span(interval.advanced(end, by: -buckets)..<end, isNewest: true)
        #expect((query.candleInterests.count > 1) == isLong)
    }

    @Test("while the past of the newest candles is read, it says how much of them is known")
    func newestProgress() throws {
        var sample = SampleBoard.live()
        var query = Self.query
        query.candles = .newest(count: 3_000, before: nil)
        query.averageWindows = []
        let now = sample.snapshot().board.exchangeTime(at: sample.now)
        let blocks = CandleBlock.newest(of: .minute1, count: 3_000, at: now)
        for interest in query.candleInterests { sample.open(Self.market, interest.facet) }
        for block in blocks { sample.open(Self.market, .pastCandles(block)) }
        let start = CandleInterval.minute1.bucketStart(of: now)
        let times = (0...600).reversed().map { start.advanced(by: .seconds(-$0 * 60)) }
        sample.candles(Self.market, .minute1, times.map(Self.candle))
        let presenter = MarketDetailPresenter(names: .sample)
        var chart = presenter.chart(sample.snapshot(), query)
        #expect(chart.candles.count == 601 && !chart.health.complete)
        #expect(chart.health.known == 601 && chart.health.of == 3_000)
        #expect(!DocumentQuery.candles(query).isReady(in: sample.snapshot().board))
        for block in blocks {
            let all = (0..<600).map { block.start.advanced(by: .seconds($0 * 60)) }
            sample.applyDetails(
                .pastCandles(
                    CandleBlockPage(
                        market: Self.market,
                        block: block,
                        candles: all.filter { $0 < times[0] }.map(Self.candle),
                        isBeginning: false
                    )
                )
            )
        }
        chart = presenter.chart(sample.snapshot(), query)
        #expect(chart.candles.count == 3_000 && chart.health.complete)
        #expect(chart.health.known == 3_000 && chart.health.of == 3_000)
        #expect(DocumentQuery.candles(query).isReady(in: sample.snapshot().board))
    }

    @Test("an API without past candles has no more of the newest ones than its series")
    func unservedNewest() throws {
        var sample = SampleBoard.live()
        var query = Self.query
        query.candles = .newest(count: 3_000, before: nil)
        let now = sample.snapshot().board.exchangeTime(at: sample.now)
        let block = try #require(CandleBlock.newest(of: .minute1, count: 3_000, at: now).last)
        for interest in query.candleInterests { sample.open(Self.market, interest.facet) }
        sample.open(Self.market, .pastCandles(block))
        let start = CandleInterval.minute1.bucketStart(of: now)
        let times = (0..<10).reversed().map { start.advanced(by: .seconds(-$0 * 60)) }
        sample.candles(Self.market, .minute1, times.map(Self.candle))
        let presenter = MarketDetailPresenter(names: .sample)
        #expect(!presenter.chart(sample.snapshot(), query).health.complete)
        let interest = DetailInterest(market: Self.market, facet: .pastCandles(block))
        let failure = FeedFailure(code: .unserved, detail: "1m", isRetryable: true)
        sample.applyDetails(
            .feed(.failed(interest, failure, nextRetryAt: sample.now.advanced(by: .seconds(60))))
        )
        let chart = presenter.chart(sample.snapshot(), query)
        #expect(chart.candles.count == 10 && chart.health.complete)
        #expect(chart.health.error == nil && chart.health.known == nil)
        #expect(DocumentQuery.candles(query).isReady(in: sample.snapshot().board))
    }
}
