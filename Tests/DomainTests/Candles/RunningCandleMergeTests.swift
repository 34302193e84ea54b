import TestSupport
import Testing

@testable import Domain

@Suite("Trades after REST's answer are on top of its running row")
struct RunningCandleMergeTests {
    private let coin: MarketID = "XRP_KRW"

    /// A moment so many milliseconds after the bucket opened.
    private func at(_ milliseconds: Int) -> Timestamp {
        Timestamp.noon(0).advanced(by: .milliseconds(milliseconds))
    }

    private func trade(_ milliseconds: Int, price: FixedDecimal = "10") -> Trade {
        Trade(coin, price: price, at: at(milliseconds))
    }

    /// A series that heard some trades, read REST at 10.000 s to 10.020 s, and heard the others.
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

    @Test("though they have the same price as its last one")
    func samePrice() {
        let series = series(
            volume: "100",
            before: [trade(9_000), trade(9_900)],
            after: [trade(10_100), trade(10_300), trade(10_480)]
        )
        #expect(series.last?.volume == "103")
    }

    @Test("and one that was made while REST was asked counts as held where the price says so")
    func inBetween() {
        let series = series(
            volume: "100",
            close: "11",
            before: [trade(9_900)],
            after: [trade(10_010, price: "11"), trade(10_200, price: "11")]
        )
        #expect(series.last?.volume == "101")
    }

    @Test("Where no trade until the answer has its last price, the nearest after it does")
    func clockBehind() {
        let series = series(
            volume: "100",
            close: "11",
            before: [trade(9_900)],
            after: [trade(10_200, price: "11"), trade(10_400, price: "11")]
        )
        #expect(series.last?.volume == "101")
    }

    @Test("or else the nearest before it")
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
