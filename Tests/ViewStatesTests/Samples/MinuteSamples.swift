import Domain
import TestSupport

/// Minutes of one market with one price each, 700 won and the number of the minute.
enum MinuteSamples {
    static let market: MarketID = "XRP_KRW"
    private static let start = SampleBoard.start.advanced(by: .seconds(-3_790))

    /// The opening of a minute; now it is ten seconds past minute 63.
    static func minute(_ number: Int) -> Timestamp {
        start.advanced(by: .seconds(number * 60))
    }

    /// A live board with candles of the given minutes.
    static func board(_ numbers: some Sequence<Int>) -> SampleBoard {
        var sample = SampleBoard.live()
        sample.open(market, .candles(.minute1), .trades)
        sample.joinTrades(market)
        sample.candles(
            market,
            .minute1,
            numbers.map { number in
                let price = FixedDecimal(Int64(700 + number))
                return Candle(minute(number), open: price, high: price, low: price, close: price)
            }
        )
        return sample
    }
}
