import Domain
import ViewStates
import TestSupport
import Testing

@Suite("Stored candles are stale and keep their age")
struct StoredChartTests {
    private static let market: MarketID = "XRP_KRW"
    private static let query = MarketDetailQuery(market: market)
    private static let today = SeoulTime.startOfDay(SeoulTime(SampleBoard.start).day)
    private static let fetchedAt = SampleBoard.start.advanced(by: .seconds(-90_000))

    private static func day(_ number: Int) -> Timestamp {
        CandleInterval.day1.advanced(today, by: number)
    }

    /// Days −4, −3 and −2 from the store; day −3 was the last that a reading covered to its end.
    private static func put(into sample: inout SampleBoard) {
        let page = CandlePage(
            market: market,
            interval: .day1,
            candles: [-4, -3, -2].map { number in
                Candle(
                    openTime: day(number),
                    open: "5",
                    high: "9",
                    low: "5",
                    close: "7",
                    volume: "1",
                    origin: .store
                )
            },
            requestedAt: fetchedAt,
            answeredAt: fetchedAt,
            spans: [day(-4)..<day(-1)]
        )
        sample.applyDetails(.candles(page))
    }

    private func chart(_ sample: inout SampleBoard) -> ChartViewState {
        MarketDetailPresenter(names: .sample).chart(sample.snapshot(), Self.query)
    }

    private func sparkline(_ sample: inout SampleBoard) -> SparklineViewState? {
        MarketDetailPresenter(names: .sample).header(sample.snapshot(), Self.query).sparkline
    }

    @Test("before REST answers, stored candles are stale with the time they were fetched")
    func awaited() {
        var sample = SampleBoard.live()
        sample.open(Self.market, .candles(.day1))
        Self.put(into: &sample)
        let chart = chart(&sample)
        #expect(chart.candles.count == 3)
        #expect(chart.candles.allSatisfy { $0.origin == .store && $0.closed })
        #expect(chart.health.phase == .stale)
        #expect(chart.health.origin == .store)
        #expect(chart.health.at == Self.fetchedAt)
        #expect(!chart.health.complete)
        #expect(chart.gaps.map(\.reason) == [.missing])
        #expect(chart.gaps.first?.from == Self.day(-1))
        let sparkline = sparkline(&sample)
        #expect(sparkline?.opens == ["5", "5", "5"])
        #expect(sparkline?.complete == false)
    }

    @Test("a REST failure is shown beside stored candles")
    func failed() {
        var sample = SampleBoard.live()
        sample.open(Self.market, .candles(.day1))
        let interest = DetailInterest(market: Self.market, facet: .candles(.day1))
        sample.applyDetails(.feed(.failed(interest, .sample, nextRetryAt: sample.now)))
        Self.put(into: &sample)
        let chart = chart(&sample)
        #expect(chart.health.phase == .stale)
        #expect(chart.health.error?.code == "timed_out")
        #expect(chart.candles.count == 3)
        #expect(sparkline(&sample) != nil)
    }

    @Test("REST candles follow stored ones and the gap between them is marked")
    func joined() {
        var sample = SampleBoard.live()
        sample.open(Self.market, .candles(.day1))
        Self.put(into: &sample)
        sample.candles(
            Self.market,
            .day1,
            [Candle(Self.day(0), open: "8", high: "9", low: "8", close: "9")]
        )
        let chart = chart(&sample)
        #expect(chart.health.phase == .ready)
        #expect(chart.health.origin == .rest)
        #expect(!chart.health.complete)
        #expect(chart.candles.map(\.origin) == [.store, .store, .store, .rest])
        #expect(
            chart.gaps == [.init(from: Self.day(-1), to: Self.day(0), reason: .missing)]
        )
    }

    @Test("a query waits for a reachable exchange, and is ready with stored candles otherwise")
    func settled() {
        let query = DocumentQuery.candles(Self.query)
        var followed = SampleBoard.live()
        followed.open(Self.market, .candles(.day1))
        Self.put(into: &followed)
        #expect(!query.isReady(in: followed.board))
        followed.candles(Self.market, .day1, [])
        #expect(query.isReady(in: followed.board))

        var offline = SampleBoard()
        let close = StoredPrice(
            market: Self.market,
            price: "7",
            at: Self.fetchedAt,
            tradeValue24h: nil
        )
        offline.applyReference(.closes([close], of: .live))
        offline.open(Self.market, .candles(.day1))
        #expect(!query.isReady(in: offline.board))
        Self.put(into: &offline)
        #expect(query.isReady(in: offline.board))
        let other = DocumentQuery.candles(MarketDetailQuery(market: "NEW_KRW"))
        #expect(!other.isUnknown(in: offline.board), "the exchange may have it")
    }
}
