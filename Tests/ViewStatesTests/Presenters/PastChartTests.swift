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
}
