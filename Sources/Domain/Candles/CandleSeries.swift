/// A span of buckets without a candle.
public struct CandleGap: Sendable, Hashable {
    /// Why there is no candle.
    public enum Reason: String, Sendable, Hashable {
        /// No trade happened.
        case noTrade
        /// Trades may have been lost.
        case missing
    }

    /// Start of the first such bucket.
    public var from: Timestamp
    /// Start of the next candle, or the time until which this is known.
    public var to: Timestamp
    /// Why the span has no candle.
    public var reason: Reason

    /// Makes a gap.
    public init(from: Timestamp, to: Timestamp, reason: Reason) {
        self.from = from
        self.to = to
        self.reason = reason
    }
}

/// The candles of one market and interval, ascending, with moving averages.
///
/// A collection indexed from 0, the oldest candle; the last one may be running. Live trades extend
/// the candles and REST corrects them. A bucket without trades has no candle.
public struct CandleSeries: Sendable, RandomAccessCollection {
    /// The value to average.
    public enum Measure: Sendable, Hashable, CaseIterable {
        /// The last price.
        case close
        /// The base volume.
        case volume
    }

    /// Windows of the moving averages, in candles.
    public static let averageWindows = [5, 10, 20, 60, 120]
    /// Maximum number of candles; the oldest are evicted.
    public static let candlesMax = 60_000
    /// Maximum number of separate spans with lost trades; beyond it the oldest are merged.
    static let suspectedLossesMax = 16
    /// How many buckets late a trade may be to still be applied.
    public static let lateBucketsMax = 8

    /// The interval.
    public let interval: CandleInterval
    /// Number of trades too late to be applied.
    ///
    /// The next REST page includes them.
    public internal(set) var dropped = 0
    /// Buckets that open before this moment are REST's; nil before the first REST page.
    public internal(set) var finalUntil: Timestamp?

    var storage = CandleStorage()
    /// Spans that may lack trades, oldest first.
    ///
    /// The last one may still be open.
    var suspectedLosses: [SuspectedLoss] = [.beginning]
    /// End of the newest candle's bucket.
    var newestEnd = Timestamp(microseconds: .min)
    /// The REST row of a running bucket, until it is clear which trades it includes.
    var running: RunningCandleMerge?
    /// Coverage of the newest REST page: request time and start of its oldest bucket.
    var reading: (requestedAt: Timestamp, start: Timestamp)?
    /// Start of the oldest bucket known from REST or the stream; nil before the first REST page.
    var knownFrom: Timestamp?
    /// Coverage of the stored candles; nil if none were loaded.
    var stored: StoredSpans?
    /// Coverage of the past candles before the series; nil if there are none.
    var past: PastSpan?
    /// What became of the newest span in which trades may have been lost; nil before the first one
    /// was read again.
    public internal(set) var repair: DataRepair?

    /// An empty series.
    public init(interval: CandleInterval) { self.interval = interval }

    /// Whether REST pages have been applied that reach back to where the series began or trades
    /// were lost, or as far as REST does.
    public var isLoaded: Bool { suspectedLosses.allSatisfy(\.isUnreachable) }

    /// When the newest stored candle was fetched; nil without stored candles.
    public var storedAt: Timestamp? { stored?.fetchedAt }

    /// Index of the oldest candle.
    public var startIndex: Int { 0 }
    /// Index after the newest candle.
    public var endIndex: Int { storage.count }
    /// Number of candles.
    public var count: Int { storage.count }

    /// The candle at an index, 0 the oldest.
    public subscript(index: Int) -> Candle { storage[index] }

    /// Index of the first candle that opens at `time` or later; `count` if there is none.
    public func index(openingAtOrAfter time: Timestamp) -> Int {
        storage.place(openingAtOrAfter: time)
    }

    /// Index of the candle that opens at `time`; nil if there is none.
    public func index(opening time: Timestamp) -> Int? {
        let place = index(openingAtOrAfter: time)
        return place < count && self[place].openTime == time ? place : nil
    }

    /// The mean of the `window` candles up to and including an index, rounded half-even to 18
    /// fraction digits; nil before index `window` − 1.
    ///
    /// Runs in constant time. Values above 10¹⁸ are not supported.
    public func average(_ measure: Measure, window: Int, at index: Int) -> FixedDecimal? {
        guard window > 0, index >= window - 1, index < count else { return nil }
        let end = storage.sums(through: index)
        let start = storage.sums(through: index - window)
        let sum: Int128 =
            switch measure {
            case .close: end.close &- start.close
            case .volume: end.volume &- start.volume
            }
        return FixedDecimal.mean(ofSum: sum, count: window)
    }

    /// Enforces the bound and updates the cached end of the newest bucket.
    mutating func settle() {
        if count > Self.candlesMax {
            storage.removeOldest(count - Self.candlesMax)
            if let first { knownFrom = knownFrom.map { Swift.max($0, first.openTime) } }
        }
        newestEnd =
            storage.newest.map { interval.nextBucket(after: $0.candle.openTime) }
            ?? Timestamp(microseconds: .min)
    }
}

extension CandleSeries {
    /// Coverage of stored candles.
    struct StoredSpans: Sendable {
        /// When the newest candle was fetched.
        var fetchedAt: Timestamp
        /// Spans in which a bucket without a candle had no trade; ascending and disjoint.
        var spans: [Range<Timestamp>]
    }

    /// Coverage of past candles.
    struct PastSpan: Sendable {
        /// The time in which a bucket without a candle had no trade.
        var span: Range<Timestamp>
        /// Whether the market has no candle before it.
        var isBeginning: Bool
    }

    /// A span in which trades may be lost.
    struct SuspectedLoss: Sendable {
        /// Everything before this time is known.
        var lostAt: Timestamp
        /// When the loss was noted, in exchange time; nil if that is unknown.
        var notedAt: Timestamp?
        /// Start of the first bucket that may lack trades.
        var from: Timestamp
        /// Start of the first complete bucket; nil until a trade arrives.
        var until: Timestamp?
        /// Whether all its trades were read again; REST's candles are still wanted.
        var isRefilled = false
        /// Whether it lies before the candles that REST returns, so that it stays.
        var isUnreachable = false

        /// Nothing is known before the first trade.
        static let beginning = SuspectedLoss(
            lostAt: Timestamp(microseconds: .min),
            from: Timestamp(microseconds: .min),
            until: nil
        )

        /// Whether candles that were requested then may have all its trades.
        func isCovered(byRequestAt time: Timestamp) -> Bool {
            lostAt < time && notedAt.map { $0 <= time } ?? true
        }

        /// `until`, or the maximum time.
        var end: Timestamp { until ?? Timestamp(microseconds: .max) }
    }

    /// Start of the oldest bucket from which on no candles are known to be missing that REST does
    /// not return with the newest ones; nil before the first REST page.
    var wholeFrom: Timestamp? {
        let lost = suspectedLosses.last(where: \.isUnreachable)?.end
        return knownFrom.map { Swift.max($0, lost ?? $0) }
    }

    /// Whether a bucket may lack trades.
    func mayLackTrades(_ openTime: Timestamp) -> Bool {
        suspectedLosses.contains {
            !$0.isRefilled && openTime >= $0.from && openTime < $0.end
        }
    }
}

extension CandleSeries {
    /// The buckets in a span that have no candle.
    ///
    /// Nothing before the first candle is reported, because nothing is known of that time. The cost
    /// is linear in the candles of the span.
    ///
    /// - Parameters:
    ///   - span: the span, in exchange time.
    ///   - known: later buckets are not reported as gaps yet.
    /// - Returns: the gaps in order of time, each as wide as possible.
    public func gaps(in span: Range<Timestamp>, known: Timestamp) -> [CandleGap] {
        guard let oldest = oldestKnown else { return [] }
        var from = Swift.max(interval.bucketStart(of: span.lowerBound), oldest)
        let end = Swift.min(span.upperBound, known)
        var gaps: [CandleGap] = []
        for candle in self[index(openingAtOrAfter: from)...] {
            guard candle.openTime < end else { break }
            appendGaps(from..<candle.openTime, to: &gaps)
            from = interval.nextBucket(after: candle.openTime)
        }
        if from < end { appendGaps(from..<end, to: &gaps) }
        return gaps
    }

    /// When the past candles before the series begin; nil without any, and if none are older.
    public var pastStart: Timestamp? {
        past.flatMap { $0.isBeginning ? nil : $0.span.lowerBound }
    }

    /// The first bucket of which is known whether it has a candle.
    private var oldestKnown: Timestamp? {
        guard let first = first?.openTime else { return nil }
        return Swift.min(first, pastStart ?? first)
    }

    /// Appends gaps for a span without candles.
    ///
    /// Times that the store or past candles cover are gaps without trades.
    private func appendGaps(_ span: Range<Timestamp>, to gaps: inout [CandleGap]) {
        var from = span.lowerBound
        let covered = (stored?.spans ?? []) + (past.map { [$0.span] } ?? [])
        for known in covered.sorted(by: { $0.lowerBound < $1.lowerBound })
        where known.overlaps(from..<Swift.max(from, span.upperBound)) {
            if from < known.lowerBound { appendUnstored(from..<known.lowerBound, to: &gaps) }
            let start = Swift.max(from, known.lowerBound)
            from = Swift.min(known.upperBound, span.upperBound)
            gaps.append(from: start, to: from, .noTrade)
        }
        if from < span.upperBound { appendUnstored(from..<span.upperBound, to: &gaps) }
    }

    /// Appends gaps for a span outside the store, split at spans that may lack trades.
    private func appendUnstored(_ span: Range<Timestamp>, to gaps: inout [CandleGap]) {
        var from = span.lowerBound
        func append(until end: Timestamp, _ reason: CandleGap.Reason) {
            gaps.append(from: from, to: end, reason)
            from = Swift.max(from, end)
        }
        // Such candles may lie before everything that REST or the stream reported.
        if stored != nil || past != nil, let knownFrom {
            append(until: Swift.min(knownFrom, span.upperBound), .missing)
        }
        for loss in suspectedLosses
        where !loss.isRefilled && loss.end > from && loss.from < span.upperBound {
            append(until: loss.from, .noTrade)
            append(until: Swift.min(loss.end, span.upperBound), .missing)
        }
        append(until: span.upperBound, .noTrade)
    }
}

extension [CandleGap] {
    /// Appends a gap, or extends the previous one if it ends here for the same reason.
    fileprivate mutating func append(
        from start: Timestamp,
        to end: Timestamp,
        _ reason: CandleGap.Reason
    ) {
        guard start < end else { return }
        if let last = indices.last, self[last].to == start, self[last].reason == reason {
            self[last].to = end
        } else {
            append(CandleGap(from: start, to: end, reason: reason))
        }
    }
}
