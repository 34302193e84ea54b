import Domain
import TestSupport
import Testing

@Suite("Candle aggregation")
struct CandleAggregationTests {
    @Test(
        "weeks and months from days equal those from trades, including the running one",
        arguments: [.week1, .month1] as [CandleInterval],
        1...4 as ClosedRange<UInt64>
    )
    func days(interval: CandleInterval, seed: UInt64) {
        let trades = CandleSeriesTests.trades(seed: seed)
        let days = NaiveCandles.candles(of: trades, .day1)
        let folded = CandleAggregation.fold(days, to: interval)
        #expect(folded == NaiveCandles.candles(of: trades, interval))
    }

    @Test("longer candles from shorter ones that fit equal those from trades")
    func others() {
        let trades = CandleSeriesTests.trades(seed: 5)
        let minutes = NaiveCandles.candles(of: trades, .minute1)
        for interval in CandleInterval.allCases {
            #expect(
                CandleAggregation.fold(minutes, to: interval).numbers
                    == NaiveCandles.candles(of: trades, interval).numbers
            )
        }
        #expect(CandleAggregation.fold([], to: .week1).isEmpty)
    }

    @Test("folded candles keep the origin and correction flags of their parts")
    func marks() {
        let trades = (0..<14).map {
            Trade("BTC_KRW", price: "5", at: .noon($0 * 86_400 - 86_400 * 4))
        }
        var days = NaiveCandles.candles(of: trades, .day1)
        for index in days.indices { days[index].origin = index < 8 ? .store : .rest }
        days[13].origin = .live
        days[3].isCorrected = true
        let page = CandlePage(
            market: "BTC_KRW",
            interval: .day1,
            candles: days,
            requestedAt: .noon(9 * 86_400),
            answeredAt: .noon(9 * 86_400 + 1)
        )
        let weeks = page.folded(to: .week1)
        #expect(weeks.interval == .week1 && weeks.requestedAt == page.requestedAt)
        #expect(weeks.candles.map(\.origin) == [.store, .live])
        #expect(weeks.candles.map(\.isCorrected) == [true, false])
        #expect(weeks.candles.map(\.volume) == ["7", "7"])
        #expect(page.folded(to: .month1).candles.map(\.origin) == [.live])
    }
}
