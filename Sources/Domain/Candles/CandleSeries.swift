/// A span of buckets without a candle.
public struct CandleGap: Sendable, Hashable {
    /// Why there is no candle.
    public enum Reason: String, Sendable, Hashable {
        /// Nothing was traded.
        case noTrade
        /// Trades may have been lost.
        case missing
    }

    /// When the first such bucket opens.
    public var from: Timestamp
    /// When the next candle opens, or the time until which this is known.
    public var to: Timestamp
    /// Why.
    public var reason: Reason

    /// Makes a gap.
    public init(from: Timestamp, to: Timestamp, reason: Reason) {
        self.from = from
        self.to = to
        self.reason = reason
    }
}

/// The candles of one market and interval, ascending, with what averages are reckoned from.
///
/// A collection of candles by place: 0 is the oldest, the last one may be running. Candles grow by
/// the trades of the stream and are put right by what REST says of them. A bucket without trades
/// has no candle.
public struct CandleSeries: Sendable, RandomAccessCollection {
    /// What an average is taken of.
    public enum Measure: Sendable, Hashable, CaseIterable {
        /// The last price.
        case close
        /// The base volume.
        case volume
    }

    /// The windows of the averages, in candles.
    public static let averageWindows = [5, 10, 20, 60, 120]
    /// How many candles are kept at the most; the oldest go.
    public static let candlesMax = 60_000
    /// How many spans of lost trades are told apart; if there are more, the oldest become one.
    static let doubtsMax = 16
    /// How many buckets before the newest candle's a trade that comes late is still taken.
    public static let lateBucketsMax = 8

    /// The interval.
    public let interval: CandleInterval
    /// How many trades came too late for their bucket; REST tells them at its next reading.
    public internal(set) var dropped = 0
    /// Buckets that open before this moment are as REST tells them; nil until it was read.
    public internal(set) var finalUntil: Timestamp?

    var stack = CandleStorage()
    /// The spans of time that may lack trades, oldest first; the last one may be open.
    var doubts: [Doubt] = [.beginning]
    /// When the newest candle's bucket ends.
    var newestEnd = Timestamp(microseconds: .min)
    /// What REST said of a bucket while it ran, until it is clear which trades that holds.
    var running: RunningCandleMerge?
    /// What REST's newest answer covers: when it was asked for, and the oldest bucket it told.
    var reading: (requestedAt: Timestamp, start: Timestamp)?
    /// When the oldest bucket opens that REST or the stream told; nil until REST was read.
    var toldFrom: Timestamp?
    /// What the store knows all of; nil until candles came from there.
    var stored: StoredSpans?

    /// An empty series.
    public init(interval: CandleInterval) { self.interval = interval }

    /// Whether REST has been read since the series began or trades were lost.
    public var isLoaded: Bool { doubts.isEmpty }

    /// When the newest of the candles was fetched that came from the store; nil if none did.
    public var storedAt: Timestamp? { stored?.fetchedAt }

    /// The place of the oldest candle.
    public var startIndex: Int { 0 }
    /// The place after the newest candle.
    public var endIndex: Int { stack.count }
    /// How many candles there are.
    public var count: Int { stack.count }

    /// The candle at a place, 0 the oldest.
    public subscript(index: Int) -> Candle { stack[index] }

    /// The place of the first candle that opens at `time` or later; `count` if there is none.
    public func index(openingAtOrAfter time: Timestamp) -> Int {
        stack.place(openingAtOrAfter: time)
    }

    /// The place of the candle whose bucket opens at `time`; nil if there is none.
    public func index(opening time: Timestamp) -> Int? {
        let place = index(openingAtOrAfter: time)
        return place < count && self[place].openTime == time ? place : nil
    }

    /// The mean of the newest `window` candles up to and including a place, rounded half-even to
    /// 18 fraction digits; nil before place `window` − 1.
    ///
    /// The work does not depend on the window. Values above 10¹⁸ are beyond what is summed.
    public func average(_ measure: Measure, window: Int, at index: Int) -> FixedDecimal? {
        guard window > 0, index >= window - 1, index < count else { return nil }
        let end = stack.sums(through: index)
        let start = stack.sums(through: index - window)
        let sum: Int128 =
            switch measure {
            case .close: end.close &- start.close
            case .volume: end.volume &- start.volume
            }
        let divisor = UInt128(window)
        let (quotient, remainder) = sum.magnitude.quotientAndRemainder(dividingBy: divisor)
        let mean = FixedDecimal.rounded(
            quotient,
            remainder: remainder,
            divisor: divisor,
            .halfEven
        )
        // A mean is no larger than the sum, which fits.
        return FixedDecimal(units: sum < 0 ? 0 - Int128(mean) : Int128(mean))
    }

    /// Keeps what is read often in step with the candles, and their number within its bound.
    mutating func settle() {
        if count > Self.candlesMax { stack.removeOldest(count - Self.candlesMax) }
        newestEnd =
            stack.newest.map { interval.nextBucket(after: $0.candle.openTime) }
            ?? Timestamp(microseconds: .min)
    }
}

extension CandleSeries {
    /// What earlier readings told, as the store kept it.
    struct StoredSpans: Sendable {
        /// When the newest candle was fetched.
        var fetchedAt: Timestamp
        /// In which a bucket without a candle had no trade: ascending, apart from each other.
        var spans: [Range<Timestamp>]
    }

    /// A span of time in which trades may have been lost.
    struct Doubt: Sendable {
        /// Until when everything is known.
        var lostAt: Timestamp
        /// When the first bucket opens that may lack trades.
        var from: Timestamp
        /// When the first bucket opens that lacks none; nil while no trade has come since.
        var until: Timestamp?

        /// Nothing is known before the first trade.
        static let beginning = Doubt(
            lostAt: Timestamp(microseconds: .min),
            from: Timestamp(microseconds: .min),
            until: nil
        )

        /// `until`, or the end of time.
        var end: Timestamp { until ?? Timestamp(microseconds: .max) }
    }

    /// Whether a bucket may lack trades.
    func isDoubtful(_ openTime: Timestamp) -> Bool {
        doubts.contains { openTime >= $0.from && openTime < $0.end }
    }
}
