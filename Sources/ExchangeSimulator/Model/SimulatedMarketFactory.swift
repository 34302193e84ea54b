import Domain

/// Makes a market as it is when a simulation begins, out of its made-up past.
enum SimulatedMarketFactory: Sendable {
    static func market(of past: PastMarket) -> SimulatedMarket {
        let minutes = past.recent()
        return SimulatedMarket(
            id: past.seed.id,
            anchor: past.seed.price,
            weight: past.seed.weight,
            standing: past.seed.isSuspended ? .suspended : .active,
            price: past.seed.price,
            history: MinuteHistory(minutes: minutes, current: past.current),
            day: day(of: minutes, current: past.current),
            past: past,
            bookSeed: past.key ^ 0x626f_6f6b
        )
    }

    /// The figures since midnight, from the same minutes.
    private static func day(of minutes: [Minute], current: Int) -> SimulatedMarket.Day {
        let last = MinuteHistory.capacity - 1
        let first = last - SeoulMinute.sinceMidnight(current)
        var day = SimulatedMarket.Day(open: nil, previousClose: minutes[first - 1].close)
        for minute in minutes[first...] where minute.hasTrades {
            day.sums.add(minute)
            if day.open == nil { day.open = minute.open }
        }
        return day
    }
}
