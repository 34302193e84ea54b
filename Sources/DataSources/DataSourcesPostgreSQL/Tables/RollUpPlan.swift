import DataSourceContracts

/// Which longer candles have to be made of those of one minute: a plain value that decides.
struct RollUpPlan {
    typealias Span = StoredCandlesDTO.Span
    /// The bytes of a market's name, or none: all markets.
    typealias Market = [UInt8]

    /// The series whose buckets have been made.
    struct Made: Hashable {
        var market: Market
        var interval: RolledInterval
    }

    /// Buckets of one interval that follow each other, within a day of Seoul.
    struct Step: Hashable {
        var interval: RolledInterval
        var from: Int64
        var to: Int64
        /// Of which markets; none for all.
        var markets: [Market]
    }

    /// An hour in which minutes were written after longer candles had been made of them.
    struct Late: Hashable {
        var market: Market
        var hour: Int64
    }

    /// Which times all markets' minutes are recorded of.
    var coverage: [Span] = []
    /// Which other times the minutes of single markets are known of.
    var own: [Market: [Span]] = [:]
    /// What has been made.
    var made: [Made: [Span]] = [:]

    /// What has not been made and can be: first what is of all markets, then of single ones.
    ///
    /// - Parameter until: the time by which a bucket has to have closed.
    /// - Returns: each within a day of Seoul.
    func steps(until: Int64) -> [Step] {
        var steps: [Step] = []
        for interval in RolledInterval.allCases {
            let recorded = interval.wholeBuckets(in: coverage, closedBy: until)
            let old = whole(interval, [])
            steps += Self.steps(interval, recorded.subtracting(old), [])
        }
        for (market, spans) in own.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            for interval in RolledInterval.allCases {
                // What all markets' steps do not make already.
                let known = (coverage + spans).joined
                let whole = interval.wholeBuckets(in: known, closedBy: until)
                    .subtracting(interval.wholeBuckets(in: coverage, closedBy: until))
                let old = self.whole(interval, market)
                steps += Self.steps(interval, whole.subtracting(old), [market])
            }
        }
        return steps
    }

    /// What has been made and has to be made again.
    ///
    /// Buckets that were not made before are none of it: they are made with what was late as soon
    /// as they can be.
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

    /// The buckets that have been made whole: where old ones were removed one may be cut.
    private func whole(_ interval: RolledInterval, _ market: Market) -> [Span] {
        interval.wholeBuckets(
            in: made[Made(market: market, interval: interval)] ?? [],
            closedBy: .max
        )
    }

    /// As many of the first steps as fit into one transaction; at least one.
    ///
    /// - Parameter steps: what is to be done.
    /// - Returns: steps that together read at most a quarter of a day of all markets, or one step.
    static func portion(of steps: [Step]) -> ArraySlice<Step> {
        var budget: Int64 = 6 * 3_600_000_000
        return steps.prefix { step in
            defer {
                let span = step.to - step.from
                // Of several hundred markets, one.
                budget -= step.markets.isEmpty ? span : span * Int64(step.markets.count) / 256
            }
            return budget > 0
        }
    }

    /// Spans cut at the midnights of Seoul.
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

extension [StoredCandlesDTO.Span] {
    /// What of ascending spans, apart from each other, is not in others of that kind.
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

    /// What of ascending spans, apart from each other, is in others of that kind as well.
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
