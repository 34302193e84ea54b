public import Domain

extension ChartViewState {
    /// The shortest time without candles that counts as maintenance of the exchange.
    private static var maintenanceMin: Duration { .seconds(1_800) }

    /// Times in which the exchange had no data: gaps without trades of half an hour or more in the
    /// short candles of a market that otherwise trades in nine of ten buckets.
    ///
    /// The exchange leaves the minutes of its maintenance out. Source: protocol of API 2.x, holes
    /// of KRW-BTC such as 2026-03-30 01:00 to 07:59 KST.
    public var maintenance: [Swift.Range<Timestamp>] {
        let short: [CandleInterval] = [.minute1, .minutes3, .minutes5, .minutes10]
        guard let interval = CandleInterval(rawValue: interval), short.contains(interval),
            let first = candles.first?.openTime, let last = candles.last?.openTime
        else { return [] }
        let holes = gaps.filter { gap in
            gap.reason == .noTrade && gap.from >= first && gap.to <= last
                && gap.to.duration(since: gap.from) >= Self.maintenanceMin
        }
        let empty = holes.reduce(0) { $0 + interval.bucketCount(from: $1.from, to: $1.to) }
        let open = interval.bucketCount(from: first, to: last) + 1 - empty
        guard candles.count * 10 >= open * 9 else { return [] }
        return holes.map { $0.from..<$0.to }
    }
}
