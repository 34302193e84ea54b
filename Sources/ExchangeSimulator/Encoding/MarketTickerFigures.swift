import Domain

/// The figures of a ticker of API 2.x, in the units of its market.
struct MarketTickerFigures: Sendable {
    let market: SimulatedMarket
    /// The last trade.
    let last: SimulatedTrade
    let range: YearRange

    /// Collects the figures of a market.
    ///
    /// A market that was never traded gets a trade of nothing at `now`.
    init(of market: SimulatedMarket, at now: Timestamp) {
        self.market = market
        last =
            market.lastTrade
            ?? SimulatedTrade(
                price: market.price,
                quantity: 0,
                isBuy: true,
                isUp: false,
                at: now
            )
        range = YearRange(of: market, today: SeoulTime(now).day)
    }

    var previousClose: Int64 { market.day.previousClose }
    var open: Int64 { market.open(of: .midnight) }
    var high: Int64 { market.day.sums.hasTrades ? market.day.sums.high : open }
    var low: Int64 { market.day.sums.hasTrades ? market.day.sums.low : open }
    /// The change since 00:00 in Seoul.
    var change: Int64 { market.price - previousClose }

    /// `RISE`, `EVEN` or `FALL`.
    var direction: String { change > 0 ? "RISE" : (change < 0 ? "FALL" : "EVEN") }

    /// The change as a fraction, in units of 10^−`digits`.
    func rate(digits: Int) -> Int64 {
        WireRatio.rounded(Int128(change), of: Int128(previousClose), digits: digits)
    }
}
