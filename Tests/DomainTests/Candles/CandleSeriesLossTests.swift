import Domain
import TestSupport
import Testing

@Suite("The candles around a loss of trades")
struct CandleSeriesLossTests {
    private static let market: MarketID = "BTC_KRW"

    private static func page(_ openTimes: Int..., requestedAt: Int) -> CandlePage {
        page(openTimes, requestedAt: requestedAt)
    }

    private static func page(_ openTimes: [Int], requestedAt: Int) -> CandlePage {
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

    @Test("a loss before the newest part of REST's candles waits for all of them")
    func newestPart() {
        var series = CandleSeries(interval: .minute1)
        var newest = Self.page(0, 60, requestedAt: 80)
        newest.isNewestPart = true
        series.apply(newest, tape: TradeTape())
        #expect(!series.isLoaded, "what is older was not asked for")
        series.apply(Self.page(-60, 0, 60, requestedAt: 81), tape: TradeTape())
        #expect(series.isLoaded)
        for (page, isRead) in [([60, 120], false), ([0, 60, 120], true), ([], false)] {
            var series = series
            series.markLoss(from: .noon(30), notedAt: .noon(90))
            var newest = Self.page(page, requestedAt: 160)
            newest.isNewestPart = true
            series.apply(newest, tape: TradeTape())
            #expect(series.isLoaded == isRead && (series.repair != nil) == isRead)
        }
    }

    @Test("a loss that waits for all candles does not replace what became of a later one")
    func laterLoss() {
        var series = CandleSeries(interval: .minute1)
        series.apply(Self.page(0, 60, requestedAt: 80), tape: TradeTape())
        series.markLoss(from: .noon(30), notedAt: .noon(31))
        series.apply(Trade(Self.market, price: "2", at: .noon(100)))
        series.markLoss(from: .noon(130), notedAt: .noon(131))
        var newest = Self.page(120, 180, requestedAt: 190)
        newest.isNewestPart = true
        series.apply(newest, tape: TradeTape())
        let repair = series.repair
        #expect(!series.isLoaded && repair?.span.lowerBound == .noon(120))
        series.apply(Self.page(0, 60, 120, 180, requestedAt: 191), tape: TradeTape())
        #expect(series.isLoaded && series.repair == repair)
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
