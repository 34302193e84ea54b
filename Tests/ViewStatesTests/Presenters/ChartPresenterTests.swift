import Domain
import ViewStates
import TestSupport
import Testing

@Suite("A chart has the requested candles with averages, range and gaps")
struct ChartPresenterTests {
    private static let market: MarketID = "XRP_KRW"
    /// 2026-11-20T20:00+09:00, an hour and three minutes before the board's time.
    private static let start = SampleBoard.start.advanced(by: .seconds(-3_790))

    @Test(
        "a chart selects the newest candles, those before a time, one at a time, or a span",
        arguments: [
            (.newest(count: 200, before: nil), [0, 1, 2, 5, 6, 7]),
            (.newest(count: 2, before: nil), [6, 7]), (.newest(count: 0, before: nil), []),
            (.newest(count: -1, before: nil), []),
            (.newest(count: 2, before: minute(5)), [1, 2]),
            (.newest(count: 2, before: minute(6)), [2, 5]),
            (.newest(count: .max, before: minute(0)), []),
            (.newest(count: 9, before: minute(900)), [0, 1, 2, 5, 6, 7]),
            (.at(minute(1)), [1]), (.at(minute(1).advanced(by: .microseconds(59_999_999))), [1]),
            (.at(minute(3)), []), (.at(minute(-1)), []), (.at(minute(900)), []),
            (.span(minute(1)..<minute(6), isNewest: true), [1, 2, 5]),
            (.span(minute(3)..<minute(4), isNewest: true), []),
            (.span(minute(-9)..<minute(99), isNewest: true), [0, 1, 2, 5, 6, 7]),
            (.span(minute(99)..<minute(99), isNewest: true), []),
        ] as [(MarketDetailQuery.CandleSelection, [Int])]
    )
    func selection(wanted: MarketDetailQuery.CandleSelection, minutes: [Int]) {
        var sample = Self.sample()
        let chart = Self.present(&sample) { $0.candles = wanted }
        #expect(chart.candles.map(\.openTime) == minutes.map(Self.minute))
        let closes = chart.candles.map(\.close)
        #expect(chart.range?.low == closes.min() && chart.range?.high == closes.max())
        #expect(chart.candles.allSatisfy { $0.averages?.windows == [5, 10, 20, 60, 120] })
    }

    @Test("averages are computed from the whole series, whatever the window")
    func averages() {
        var sample = Self.sample()
        let whole = Self.present(&sample)
        // Closes are 700, 701, 702, 705, 706, 707.
        #expect(Self.averages(.close, 5, whole) == [nil, nil, nil, nil, "702.8", "704.2"])
        #expect(Self.averages(.volume, 5, whole) == [nil, nil, nil, nil, "1", "1"])
        #expect(Self.averages(.close, 10, whole) == Array(repeating: nil, count: 6))
        let last = Self.present(&sample) { $0.candles = .newest(count: 1, before: nil) }
        #expect(Self.averages(.close, 5, last) == ["704.2"])
        let chosen = Self.present(&sample) { $0.averageWindows = [5] }
        #expect(Self.averages(.close, 5, chosen) == Self.averages(.close, 5, whole))
        #expect(chosen.candles.allSatisfy { $0.averages?.windows == [5] })
    }

    private static func averages(
        _ measure: CandleSeries.Measure,
        _ window: Int,
        _ chart: ChartViewState
    ) -> [FixedDecimal?] {
        chart.candles.map { $0.averages?[measure, window] }
    }

    @Test("time without candles is a gap, also up to now; the running bucket is not")
    func gaps() {
        var sample = Self.sample()
        let now = Self.minute(63)
        let inside = GapViewState(from: Self.minute(3), to: Self.minute(5), reason: .noTrade)
        let last = GapViewState(from: Self.minute(8), to: now, reason: .noTrade)
        let whole = Self.present(&sample)
        #expect(whole.gaps == [inside, last])
        #expect(whole.health.complete)
        let newest = Self.present(&sample) { $0.candles = .newest(count: 2, before: nil) }
        #expect(newest.gaps == [last])
        let older = Self.present(&sample) { $0.candles = .newest(count: 3, before: Self.minute(6)) }
        #expect(older.gaps == [inside])
        let single = Self.present(&sample) { $0.candles = .at(Self.minute(3)) }
        #expect(
            single.gaps == [.init(from: Self.minute(3), to: Self.minute(4), reason: .noTrade)]
        )
        // Within the minute nothing changes, so there is no new revision.
        sample.wait(.seconds(49))
        #expect(Self.present(&sample) == whole)
        sample.wait(.seconds(1))
        #expect(Self.present(&sample).gaps.last?.to == Self.minute(64))
    }

    @Test("while the stream is lost, the last gap ends at the newest data")
    func lost() {
        var sample = Self.sample()
        sample.wait(.seconds(120))
        sample.trade("BTC_KRW", at: "143210000")
        sample.apply(
            .feed(.reconnecting(attempt: 1, nextRetryAt: sample.now, failure: .sample))
        )
        sample.wait(.seconds(600))
        var chart = Self.present(&sample)
        #expect(chart.health.phase == .stale && chart.health.error?.code == "reconnecting")
        #expect(!chart.health.complete)
        #expect(chart.gaps.last?.to == Self.minute(65))
        sample.apply(.feed(.subscribed), .feed(.live))
        sample.trade(Self.market, at: "700")
        chart = Self.present(&sample)
        #expect(chart.gaps.last?.reason == .missing && !chart.health.complete)
        #expect(chart.candles.last?.origin == .live)
    }

    @Test("a candle is closed once its bucket has ended, and has a direction")
    func candle() {
        var sample = Self.sample()
        sample.wait(.milliseconds(1))
        sample.trade(Self.market, "745", "2", .buy)
        sample.wait(.milliseconds(1))
        sample.trade(Self.market, "744", "3", .sell)
        var chart = Self.present(&sample)
        let running = chart.candles.last
        #expect(running?.openTime == Self.minute(63) && running?.closed == false)
        #expect(running?.open == "745" && running?.close == "744" && running?.volume == "5")
        #expect(running?.priceDirection == .down && running?.origin == .live)
        #expect(chart.candles.dropLast().allSatisfy { $0.closed && $0.priceDirection == .flat })
        #expect(chart.lastPrice == "744" && chart.health.at == sample.now)
        #expect(chart.health.origin == .stream)
        sample.wait(.seconds(50))
        chart = Self.present(&sample)
        #expect(chart.candles.last?.closed == true)
    }

    @Test("a single candle of one price has a range of no height")
    func flat() {
        var sample = SampleBoard.live()
        sample.open(Self.market, .candles(.day1))
        let day = SeoulTime.startOfDay(SeoulTime(sample.now).day)
        let prices: FixedDecimal = "743.5"
        sample.candles(
            Self.market,
            .day1,
            [Candle(day, open: prices, high: prices, low: prices, close: prices)]
        )
        let chart = Self.present(&sample) { $0.interval = .day1 }
        #expect(chart.range == .init(low: prices, high: prices))
        #expect(chart.candles.first?.priceDirection == .flat && chart.gaps.isEmpty)
        #expect(chart.interval == "24h" && Self.averages(.close, 5, chart) == [nil])
    }

    @Test("candles are loading, failed, or ready once REST has answered")
    func health() {
        var sample = SampleBoard.live()
        let query = MarketDetailQuery(market: Self.market)
        let presenter = MarketDetailPresenter(names: .sample)
        #expect(presenter.chart(sample.snapshot(), query).health.phase == .loading)
        sample.open(Self.market, .candles(.day1))
        var chart = presenter.chart(sample.snapshot(), query)
        #expect(chart.health.phase == .loading && !chart.health.complete && chart.gaps.isEmpty)
        let interest = DetailInterest(market: Self.market, facet: .candles(.day1))
        sample.applyDetails(.feed(.failed(interest, .sample, nextRetryAt: sample.now)))
        chart = presenter.chart(sample.snapshot(), query)
        #expect(chart.health.phase == .failed && chart.health.error?.code == "timed_out")
        sample.candles(Self.market, .day1, [])
        chart = presenter.chart(sample.snapshot(), query)
        #expect(chart.health.phase == .ready && chart.health.complete && chart.health.at == nil)
        #expect(chart.range == nil && chart.candles.isEmpty && chart.health.staleAfter == nil)
    }

    private static func minute(_ number: Int) -> Timestamp {
        start.advanced(by: .seconds(number * 60))
    }

    /// Minutes 0, 1, 2, 5, 6 and 7 with one price each; now it is ten seconds past minute 63.
    private static func sample() -> SampleBoard {
        var sample = SampleBoard.live()
        sample.open(market, .candles(.minute1), .trades)
        sample.joinTrades(market)
        sample.candles(
            market,
            .minute1,
            [0, 1, 2, 5, 6, 7].map { number in
                let price = FixedDecimal(Int64(700 + number))
                return Candle(minute(number), open: price, high: price, low: price, close: price)
            }
        )
        return sample
    }

    private static func present(
        _ sample: inout SampleBoard,
        _ change: (inout MarketDetailQuery) -> Void = { _ in }
    ) -> ChartViewState {
        var query = MarketDetailQuery(market: market)
        query.interval = .minute1
        change(&query)
        return MarketDetailPresenter(names: .sample).chart(sample.snapshot(), query)
    }
}
