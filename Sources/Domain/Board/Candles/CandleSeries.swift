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

    /// The interval.
    public let interval: CandleInterval
    /// Whether REST has been read since the series began or trades were lost.
    public private(set) var isLoaded = false
    private var candles: [Candle] = []

    /// An empty series.
    public init(interval: CandleInterval) { self.interval = interval }

    /// How many candles there are.
    public var count: Int { candles.count }
    /// The place of the oldest candle.
    public var startIndex: Int { 0 }
    /// The place after the newest candle.
    public var endIndex: Int { count }
    /// How many trades arrived too late for their bucket.
    public private(set) var dropped = 0
    /// Buckets that open before this moment are as REST tells them; nil until it was read.
    public private(set) var finalUntil: Timestamp?

    /// The place of the candle whose bucket opens at `time`; nil if there is none.
    public func index(opening time: Timestamp) -> Int? {
        let index = index(openingAtOrAfter: time)
        return index < count && self[index].openTime == time ? index : nil
    }

    /// The candle at a place, 0 the oldest.
    public subscript(index: Int) -> Candle { candles[index] }

    /// The place of the first candle that opens at `time` or later; `count` if there is none.
    public func index(openingAtOrAfter time: Timestamp) -> Int {
        candles.firstIndex { $0.openTime >= time } ?? candles.count
    }

    /// The mean of the newest `window` candles up to and including a place, rounded half-even to
    /// 18 fraction digits; nil before place `window` − 1.
    public func average(_ measure: Measure, window: Int, at index: Int) -> FixedDecimal? { nil }

    /// The buckets of a span of time that have no candle.
    ///
    /// - Parameters:
    ///   - span: the span, in exchange time.
    ///   - known: until when it is known that nothing was traded; later buckets are no gaps yet.
    /// - Returns: the gaps in order of time.
    public func gaps(in span: Range<Timestamp>, known: Timestamp) -> [CandleGap] { [] }

    /// Takes a trade of the stream.
    public mutating func apply(_ trade: Trade) {}

    /// Takes what REST says, with the trades of the stream for what is newer.
    public mutating func apply(_ page: CandlePage, tape: TradeTape) {
        candles = page.candles
        isLoaded = true
    }

    /// Notes that trades from a time on may be missing until REST is read again.
    public mutating func noteLoss(from time: Timestamp) { isLoaded = false }
}
