import Domain
import TestSupport
import Testing

@Suite("The candles around a loss of trades")
struct CandleSeriesLossTests {
    private static let market: MarketID = "BTC_KRW"

    private static func page(_ openTimes: Int..., requestedAt: Int) -> CandlePage {
        let candles = openTimes.map { time in
            Candle(
                openTime: .noon(time),
                open: "2",
                high: "2",
                low: "2",
                close: "2",
                volume: "5",
                origin: .rest
            )
        }
        return CandlePage(
            market: market,
            interval: .minute1,
            candles: candles,
            requestedAt: .noon(requestedAt),
            answeredAt: .noon(requestedAt)
        )
    }

    @Test("the running minute in which the stream comes back is REST's, with the lost trades")
    func lastMinute() {
        var series = CandleSeries(interval: .minute1)
        series.apply(Self.page(0, requestedAt: 20), tape: TradeTape())
        series.markLoss(from: .noon(30), notedAt: .noon(31))
        series.apply(Trade(Self.market, price: "2", at: .noon(150)))
        #expect(!series.isLoaded)
        series.apply(Self.page(0, 120, requestedAt: 160), tape: TradeTape())
        #expect(series.isLoaded)
        #expect(series.last?.openTime == .noon(120))
        #expect(series.last?.volume == "5")
    }

    @Test("a loss is read again up to the request of the page, however long its bucket goes on")
    func readUntil() {
        for (trade, until) in [(70, 120), (150, 160)] {
            var series = CandleSeries(interval: .minute1)
            series.apply(Self.page(0, requestedAt: 20), tape: TradeTape())
            series.markLoss(from: .noon(30))
            series.apply(Trade(Self.market, price: "2", at: .noon(trade)))
            series.apply(Self.page(0, 60, 120, requestedAt: 160), tape: TradeTape())
            #expect(series.repair?.span == .noon(0)..<(.noon(until)))
        }
    }
}
