import Domain

/// Makes up the 24 hours before a simulation begins, by walking backwards from its first price.
struct HistorySeeder {
    private let seed: MarketSeed
    private let ladder: PriceLadder
    /// The minute the simulation begins in; nothing is traded in it yet.
    private let current: Int
    /// The turnover of a minute in price units, on average.
    private let minuteTurnover: Int128

    /// The turnover of the most traded market in 24 hours, in won: it and the others' shares give
    /// histories of the size seen in 2026.
    private static let wonPerDay: Int128 = 180_000_000_000
    private static let volumeUnitsPerCoin: Int128 = 10_000_000_000
    /// The usual size of a trade in won; with the turnover it says how many minutes are empty.
    private static let wonPerTrade: Int128 = 60_000
    /// How far a price moves in a minute at most, in millionths.
    private static let minuteMoveMillionths = 1_600

    init(seed: MarketSeed, heaviestWeight: Int, start: Timestamp) {
        self.seed = seed
        ladder = PriceLadder.of(seed.id.quote)
        current = SeoulMinute.number(of: start)
        let won = Self.wonPerDay * Int128(seed.weight) / Int128(max(1, heaviestWeight))
        let units: Int128 =
            switch seed.id.quote {
            case .krw: won * 10_000
            case .btc: won * 100_000_000 / Int128(MarketCatalog.bitcoinWon)
            }
        minuteTurnover = units / Int128(SeoulMinute.perDay)
    }

    /// The market as it is when the simulation begins.
    func market(random: inout SeededRandom) -> SimulatedMarket {
        let isTraded = seed.weight > 0
        let traded = tradedMinutes(random: &random)
        let closes = isTraded ? walk(traded, random: &random) : []
        var minutes: [Minute] = []
        minutes.reserveCapacity(MinuteHistory.capacity)
        for index in 0..<MinuteHistory.capacity {
            var minute = Minute(close: isTraded ? closes[index] : seed.price)
            if isTraded, index > 0, traded[index] {
                fill(&minute, open: closes[index - 1], random: &random)
            }
            minutes.append(minute)
        }
        return SimulatedMarket(
            id: seed.id,
            anchor: seed.price,
            weight: seed.weight,
            standing: seed.isSuspended ? .suspended : .active,
            price: seed.price,
            history: MinuteHistory(minutes: minutes, current: current),
            day: day(of: minutes, random: &random)
        )
    }

    /// Which minutes have trades: of little traded markets only some.
    private func tradedMinutes(random: inout SeededRandom) -> [Bool] {
        let won = Self.wonPerDay / Int128(SeoulMinute.perDay)
        let trades = won * Int128(seed.weight) / Self.wonPerTrade / 1_000_000
        let thousandths = Int(min(1_000, 400 + trades * 150))
        return (0..<MinuteHistory.capacity).map { index in
            index < MinuteHistory.capacity - 1 && random.happens(thousandths)
        }
    }

    /// The closing prices, oldest first, ending with the first price of the simulation.
    private func walk(_ traded: [Bool], random: inout SeededRandom) -> [Int64] {
        var closes = [Int64](repeating: seed.price, count: MinuteHistory.capacity)
        for index in stride(from: MinuteHistory.capacity - 2, through: 0, by: -1) {
            let later = closes[index + 1]
            guard traded[index + 1] else {
                closes[index] = later
                continue
            }
            let span = Self.minuteMoveMillionths
            let move = Int128(later) * Int128(random.number(in: -span...span))
            // What is less than a step is a step now and then, so that coarse prices move too.
            let step = Int128(ladder.step(at: later)) * 1_000_000
            let steps =
                Int64(move / step)
                + (random.below(1_000_000)
                    < Int(
                        (move % step).magnitude * 1_000_000 / step.magnitude
                    ) ? Int64(move.signum()) : 0)
            let earlier = later + steps * ladder.step(at: later)
            closes[index] = ladder.price(atMost: max(earlier, ladder.lowest))
        }
        return closes
    }

    private func fill(_ minute: inout Minute, open: Int64, random: inout SeededRandom) {
        minute.high = max(open, minute.close)
        minute.low = min(open, minute.close)
        if random.happens(300) { minute.high = ladder.above(minute.high) }
        if random.happens(300) { minute.low = ladder.below(minute.low) }
        let turnover = minuteTurnover * Int128(random.number(in: 50...1_950)) / 1_000
        let dust = Int128(random.below(100))
        let volume = turnover * Self.volumeUnitsPerCoin / Int128(minute.close) + dust + 1
        minute.bought = volume * Int128(random.number(in: 300...700)) / 1_000
        minute.sold = volume - minute.bought
        minute.value = volume * Int128(minute.close)
    }

    /// The figures since midnight, from the same minutes.
    private func day(of minutes: [Minute], random: inout SeededRandom) -> SimulatedMarket.Day {
        let last = MinuteHistory.capacity - 1
        let first = last - SeoulMinute.sinceMidnight(current)
        var day = SimulatedMarket.Day(open: nil, previousClose: minutes[first - 1].close)
        for minute in minutes[first...] {
            day.sums.add(minute)
            if day.open == nil, minute.high != .min {
                day.open = random.happens(500) ? minute.high : minute.low
            }
        }
        return day
    }
}
