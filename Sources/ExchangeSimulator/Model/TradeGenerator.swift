import Domain

/// Generates the next trades of a market: a taker's order that meets one or more makers.
enum TradeGenerator: Sendable {
    /// Maximum price move of a trade in millionths, if the tick size allows it.
    private static let moveMillionths: Int64 = 40
    /// The smallest trade in won; the largest is about sixty times that.
    private static let amountWonMin: Int64 = 5_000
    private static let microsecondsBetweenMakers: Int64 = 7

    /// One to three trades, in order of execution.
    ///
    /// They are some microseconds apart, or fewer at the end of the minute of `time`. Their figures
    /// belong to that minute, and a frame never shows 00:00 with the figures of the day before.
    static func trades(
        of market: SimulatedMarket,
        at time: Timestamp,
        random: inout SeededRandom
    ) -> [SimulatedTrade] {
        let draw = random.below(100)
        let count = draw < 80 ? 1 : (draw < 95 ? 2 : 3)
        let steps = moveSteps(of: market, random: &random)
        let isBuy = steps == 0 ? random.happens(500) : steps > 0
        var price = moved(market.price, by: steps, on: market.ladder)
        var last = market.price
        let minuteEnd = SeoulMinute.end(of: SeoulMinute.number(of: time))
        var trades: [SimulatedTrade] = []
        for index in 0..<count {
            if index > 0, random.happens(500) {
                price = moved(price, by: isBuy ? 1 : -1, on: market.ladder)
            }
            let at = time.microseconds + Int64(index) * microsecondsBetweenMakers
            trades.append(
                SimulatedTrade(
                    price: price,
                    quantity: quantity(at: price, quote: market.id.quote, random: &random),
                    isBuy: isBuy,
                    isUp: price > last,
                    at: Timestamp(microseconds: min(at, minuteEnd.microseconds - 1))
                )
            )
            last = price
        }
        trades.count(after: market.trades.last)
        return trades
    }

    /// Number of steps up or down.
    ///
    /// A price far from its anchor tends back to it.
    private static func moveSteps(
        of market: SimulatedMarket,
        random: inout SeededRandom
    ) -> Int {
        let step = market.ladder.step(at: market.price)
        let stepMillionths = max(1, step * 1_000_000 / market.price)
        let thousandths = min(500, max(30, 400 * moveMillionths / stepMillionths))
        guard random.happens(Int(thousandths)) else { return 0 }
        let steps = 1 + random.below(Int(max(1, 2 * moveMillionths / stepMillionths)))
        let distance = Int128(market.anchor - market.price) * 2_000 / Int128(market.anchor)
        let pull = Int(max(-400, min(400, distance)))
        return random.happens(500 + pull) ? steps : -steps
    }

    private static func moved(_ price: Int64, by steps: Int, on ladder: PriceGrid) -> Int64 {
        var price = price
        for _ in 0..<abs(steps) {
            price = steps > 0 ? ladder.above(price) : ladder.below(price)
        }
        return price
    }

    private static func quantity(
        at price: Int64,
        quote: Quote,
        random: inout SeededRandom
    ) -> Int64 {
        let won =
            (amountWonMin << Int64(random.below(6))) * Int64(random.number(in: 1_000...1_999))
            / 1_000
        let amount =
            switch quote {
            case .krw: won * 10_000
            case .btc: won * 100_000_000 / MarketCatalog.bitcoinWon
            }
        let quantity = max(1, amount * 100_000_000 / price)
        // Most quantities are round: four fraction digits.
        let rounded = quantity / 10_000 * 10_000
        return rounded > 0 && random.happens(600) ? rounded : quantity
    }
}
