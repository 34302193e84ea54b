import Domain

/// The highest and the lowest price of 52 weeks.
///
/// Plausible rather than exact: the seed decides both, because the days of all markets would take
/// seconds. Prices seen in the last 24 hours are never outside.
struct YearRange: Sendable, Equatable {
    var high: Int64
    /// Days since 1970-01-01 on the calendar of Seoul.
    var highDay: Int
    var low: Int64
    var lowDay: Int

    /// How far the extremes lie from the usual price, in thousandths of it.
    private static let highThousandths = 1_150...2_500
    private static let lowThousandths = 300...850
    /// The age of the extremes in days; a year later they are still within 52 weeks of the start.
    private static let ageDays = 1...300

    /// The range of a market on a day.
    init(of market: SimulatedMarket, today: Int) {
        var random = SeededRandom(seed: market.bookSeed ^ 0x7965_6172)
        let firstDay = market.past.map { SeoulMinute.time(of: $0.current).day } ?? today
        let far = market.anchor * Int64(random.number(in: Self.highThousandths)) / 1_000
        let near = market.anchor * Int64(random.number(in: Self.lowThousandths)) / 1_000
        high = market.ladder.price(atMost: far)
        low = market.ladder.price(atMost: near)
        highDay = firstDay - random.number(in: Self.ageDays)
        lowDay = firstDay - random.number(in: Self.ageDays)
        let rolling = market.sums(of: .hours24)
        let seenHigh = max(market.price, rolling.high)
        let seenLow = min(market.price, rolling.low)
        if seenHigh > high { (high, highDay) = (seenHigh, today) }
        if seenLow < low { (low, lowDay) = (seenLow, today) }
    }
}
