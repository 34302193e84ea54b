import Domain

/// Generates a stretch of a market's past, walking backwards from its last price.
///
/// Periods are minutes, hours or days; a ``Minute`` holds the figures of one.
struct RandomWalk {
    let ladder: PriceGrid
    /// Mean turnover of a period, in price units.
    let turnover: Int128
    /// Maximum price move in a period, in millionths.
    let moveMillionths: Int
    /// How far highs and lows lie beyond open and close at most, in millionths.
    let wickMillionths: Int

    /// The highest price of a walk.
    ///
    /// A move or a wick of a higher price could not be multiplied exactly. Half of the range is
    /// left for the wick above this one.
    private var priceMax: Int64 { .max / 2 / Int64(max(moveMillionths, wickMillionths, 1 << 12)) }
    private static let volumeUnitsPerCoin: Int128 = 10_000_000_000
    /// Minimum volume of a period: enough for trades of both sides.
    private static let volumeMin: Int128 = 100_000

    /// Generates periods, oldest first; only the close of the first one is meaningful.
    ///
    /// - Parameters:
    ///   - traded: which periods have trades.
    ///   - close: the last price of all.
    ///   - random: the source of randomness.
    /// - Returns: as many periods as `traded` has.
    func periods(
        traded: [Bool],
        close: Int64,
        random: inout SeededRandom
    ) -> [Minute] {
        let closes = closes(traded, last: close, random: &random)
        var periods: [Minute] = []
        periods.reserveCapacity(traded.count)
        for index in traded.indices {
            var period = Minute(close: closes[index])
            if index > 0, traded[index] {
                fill(&period, open: closes[index - 1], random: &random)
            }
            periods.append(period)
        }
        return periods
    }

    private func closes(
        _ traded: [Bool],
        last: Int64,
        random: inout SeededRandom
    ) -> [Int64] {
        var closes = [Int64](repeating: last, count: traded.count)
        for index in stride(from: traded.count - 2, through: 0, by: -1) {
            let later = closes[index + 1]
            guard traded[index + 1] else {
                closes[index] = later
                continue
            }
            let move = later * Int64(random.number(in: -moveMillionths...moveMillionths))
            // Moves smaller than a step become a whole step now and then, so that coarse prices
            // move too.
            let size = ladder.step(at: later)
            let step = size * 1_000_000
            let rest = Int((move % step).magnitude * 1_000_000 / step.magnitude)
            let steps = move / step + (random.below(1_000_000) < rest ? move.signum() : 0)
            let earlier = min(max(later + steps * size, ladder.lowest), priceMax)
            closes[index] = ladder.price(atMost: earlier)
        }
        return closes
    }

    private func fill(_ period: inout Minute, open: Int64, random: inout SeededRandom) {
        period.open = open
        period.high = max(open, period.close)
        period.low = min(open, period.close)
        if random.happens(300) { period.high = ladder.above(period.high) }
        if random.happens(300) { period.low = ladder.below(period.low) }
        if wickMillionths > 0 {
            let up = period.high * Int64(random.below(wickMillionths)) / 1_000_000
            let down = period.low * Int64(random.below(wickMillionths)) / 1_000_000
            period.high = max(period.high, ladder.price(atMost: period.high + up))
            period.low = min(period.low, ladder.price(atMost: period.low - down))
        }
        let amount = turnover * Int128(random.number(in: 50...1_950)) / 1_000
        let dust = Int128(random.below(100))
        let volume = max(
            Self.volumeMin,
            amount * Self.volumeUnitsPerCoin / Int128(period.close) + dust
        )
        period.bought = volume * Int128(random.number(in: 300...700)) / 1_000
        period.sold = volume - period.bought
        period.value = volume * Int128(period.close)
    }
}
