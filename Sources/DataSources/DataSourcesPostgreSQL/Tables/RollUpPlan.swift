import DataSourceContracts

/// Decides which longer candles must be built from one minute candles.
struct RollUpPlan {
    typealias Span = StoredCandlesDTO.Span
    /// The bytes of a market's name; empty for all markets.
    typealias Market = [UInt8]

    /// A series with built buckets.
    struct Made: Hashable {
        var market: Market
        var interval: RolledInterval
    }

    /// Consecutive buckets of one interval, within a day of Seoul.
    struct Step: Hashable {
        var interval: RolledInterval
        var from: Int64
        var to: Int64
        /// The markets; empty for all.
        var markets: [Market]

        /// The days in UTC that the step touches, as partitions of minutes divide time.
        var wholeDays: Span {
            let day = RolledInterval.day1.microseconds
            let start = from.quotientRoundedDown(dividingBy: day) * day
            return Span(from: start, to: -(-to).quotientRoundedDown(dividingBy: day) * day)
        }
    }

    /// An hour with minutes written after its longer candles were built.
    struct Late: Hashable {
        var market: Market
        var hour: Int64
    }

    /// Times in which the minutes of all markets were recorded.
    var coverage: [Span] = []
    /// Further times in which the minutes of single markets are known.
    var own: [Market: [Span]] = [:]
    /// Built spans.
    var made: [Made: [Span]] = [:]

    /// Steps that are possible and not done: those of all markets first, then those of single
    /// markets.
    ///
    /// - Parameter until: buckets must have closed by this time.
    /// - Returns: steps, each within a day of Seoul.
    func steps(until: Int64) -> [Step] {
        var steps: [Step] = []
        for interval in RolledInterval.allCases {
            let recorded = interval.wholeBuckets(in: coverage, closedBy: until)
            let old = whole(interval, [])
            steps += Self.steps(interval, recorded.subtracting(old), [])
        }
        for (market, spans) in own.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            for interval in RolledInterval.allCases {
                // Times not covered by the steps of all markets.
                let known = (coverage + spans).joined
                let whole = interval.wholeBuckets(in: known, closedBy: until)
                    .subtracting(interval.wholeBuckets(in: coverage, closedBy: until))
                let old = self.whole(interval, market)
                steps += Self.steps(interval, whole.subtracting(old), [market])
            }
        }
        return steps
    }

    /// Steps to repeat because of late minutes.
    ///
    /// Buckets not built before are excluded: they will include the late minutes.
    func steps(again late: [Late]) -> [Step] {
        var markets: [Step: Set<Market>] = [:]
        for entry in late {
            let known = (coverage + (own[entry.market] ?? [])).joined
            for interval in RolledInterval.allCases {
                let from = interval.bucketStart(of: entry.hour)
                let to = max(from + interval.microseconds, entry.hour + 3_600_000_000)
                let old = (whole(interval, []) + whole(interval, entry.market)).joined
                let again = [Span(from: from, to: to)]
                    .intersection(with: interval.wholeBuckets(in: known, closedBy: .max))
                    .intersection(with: old)
                for step in Self.steps(interval, again, []) {
                    markets[step, default: []].insert(entry.market)
                }
            }
        }
        return markets.map { step, markets in
            var step = step
            step.markets = markets.sorted { $0.lexicographicallyPrecedes($1) }
            return step
        }
        .sorted { ($0.from, $0.interval.microseconds) < ($1.from, $1.interval.microseconds) }
    }

    /// Completely built buckets; removing old candles may have truncated one.
    private func whole(_ interval: RolledInterval, _ market: Market) -> [Span] {
        interval.wholeBuckets(
            in: made[Made(market: market, interval: interval)] ?? [],
            closedBy: .max
        )
    }

    /// The first steps that fit into one transaction; at least one.
    ///
    /// - Parameter steps: the remaining steps.
    /// - Returns: steps that together read at most a quarter of a day of all markets, or one step.
    static func portion(of steps: [Step]) -> ArraySlice<Step> {
        var budget: Int64 = 6 * 3_600_000_000
        return steps.prefix { step in
            defer {
                let span = step.to - step.from
                // One of several hundred markets.
                budget -= step.markets.isEmpty ? span : span * Int64(step.markets.count) / 256
            }
            return budget > 0
        }
    }

    /// Splits spans at midnight in Seoul.
    private static func steps(
        _ interval: RolledInterval,
        _ spans: [Span],
        _ markets: [Market]
    ) -> [Step] {
        var steps: [Step] = []
        for span in spans {
            var from = span.from
            while from < span.to {
                let midnight =
                    RolledInterval.day1.bucketStart(of: from) + RolledInterval.day1.microseconds
                let to = min(span.to, midnight)
                steps.append(Step(interval: interval, from: from, to: to, markets: markets))
                from = to
            }
        }
        return steps
    }
}

extension Int64 {
    /// The quotient rounded towards negative infinity; the divisor is positive.
    fileprivate func quotientRoundedDown(dividingBy divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension [StoredCandlesDTO.Span] {
    /// The parts of ascending disjoint spans that others of that kind do not cover.
    func subtracting(_ others: [StoredCandlesDTO.Span]) -> [StoredCandlesDTO.Span] {
        var rest: [StoredCandlesDTO.Span] = []
        for span in self {
            var from = span.from
            for other in others where other.to > from && other.from < span.to {
                if other.from > from { rest.append(.init(from: from, to: other.from)) }
                from = Swift.max(from, other.to)
            }
            if from < span.to { rest.append(.init(from: from, to: span.to)) }
        }
        return rest
    }

    /// The parts of ascending disjoint spans that others of that kind cover too.
    func intersection(with others: [StoredCandlesDTO.Span]) -> [StoredCandlesDTO.Span] {
        flatMap { span in
            others.compactMap { other in
                let from = Swift.max(span.from, other.from)
                let to = Swift.min(span.to, other.to)
                return from < to ? .init(from: from, to: to) : nil
            }
        }
    }
}
