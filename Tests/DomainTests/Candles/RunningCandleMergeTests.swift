import TestSupport
import Testing

@testable import Domain

@Suite("Running candle: trades after REST's answer are added to its row")
struct RunningCandleMergeTests {
    private let coin: MarketID = "XRP_KRW"

    /// A moment in milliseconds after the bucket opened.
    private func at(_ milliseconds: Int) -> Timestamp {
        Timestamp.noon(0).advanced(by: .milliseconds(milliseconds))
    }

    private func trade(_ milliseconds: Int, price: FixedDecimal = "10") -> Trade {
        Trade(coin, price: price, at: at(milliseconds))
    }

    /// A series with some live trades before a REST request from 10.000 s to 10.020 s, and others
    /// after it.
    private func series(
        volume: FixedDecimal,
        close: FixedDecimal = "10",
        before: [Trade],
        after: [Trade]
    ) -> CandleSeries {
        var series = CandleSeries(interval: .minute1)
        var tape = TradeTape()
        for trade in before {
            tape.append(trade)
            series.apply(trade)
        }
        let row = Candle(
            openTime: .noon(0),
            open: "10",
            high: "11",
            low: "10",
            close: close,
            volume: volume,
            origin: .rest
        )
        let page = CandlePage(
            market: coin,
            interval: .minute1,
            candles: [row],
            requestedAt: at(10_000),
            answeredAt: at(10_020)
        )
        series.apply(page, tape: tape)
        for trade in after {
            tape.append(trade)
            series.apply(trade)
        }
        return series
    }

    @Test("later trades are added also at the price of REST's last one")
    func samePrice() {
        let series = series(
            volume: "100",
            before: [trade(9_000), trade(9_900)],
            after: [trade(10_100), trade(10_300), trade(10_480)]
        )
        #expect(series.last?.volume == "103")
    }

    @Test("a trade during the request counts as included if the price says so")
    func inBetween() {
        let series = series(
            volume: "100",
            close: "11",
            before: [trade(9_900)],
            after: [trade(10_010, price: "11"), trade(10_200, price: "11")]
        )
        #expect(series.last?.volume == "101")
    }

    @Test(
        "without a trade at REST's last price before the answer, the nearest one after it is used"
    )
    func clockBehind() {
        let series = series(
            volume: "100",
            close: "11",
            before: [trade(9_900)],
            after: [trade(10_200, price: "11"), trade(10_400, price: "11")]
        )
        #expect(series.last?.volume == "101")
    }

    @Test("without a later trade at REST's last price, the nearest one before the answer is used")
    func clockAhead() {
        let series = series(
            volume: "100",
            close: "11",
            before: [trade(9_700, price: "11"), trade(9_800), trade(9_900)],
            after: [trade(10_200)]
        )
        #expect(series.last?.volume == "103")
    }
}
