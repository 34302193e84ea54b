/// Open, high, low, close and volume of one bucket.
public struct Candle: Sendable, Hashable {
    /// Source of a candle's numbers.
    public enum Origin: String, Sendable, Hashable {
        /// The store.
        case store
        /// REST.
        case rest
        /// Live trades, possibly on top of a REST candle.
        case live
    }

    /// Start of the bucket, on the grid of its interval.
    public var openTime: Timestamp
    /// The first price.
    public var open: FixedDecimal
    /// The highest price.
    public var high: FixedDecimal
    /// The lowest price.
    public var low: FixedDecimal
    /// The last price.
    public var close: FixedDecimal
    /// Base volume.
    public var volume: FixedDecimal
    /// Source of the numbers.
    public var origin: Origin
    /// Whether REST corrected the numbers built from trades.
    public var isCorrected: Bool

    /// Whether the first price lies outside low and high, as it may for a new listing.
    public var isOpenOutside: Bool { open < low || open > high }

    /// Makes a candle.
    public init(
        openTime: Timestamp,
        open: FixedDecimal,
        high: FixedDecimal,
        low: FixedDecimal,
        close: FixedDecimal,
        volume: FixedDecimal,
        origin: Origin,
        isCorrected: Bool = false
    ) {
        self.openTime = openTime
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.volume = volume
        self.origin = origin
        self.isCorrected = isCorrected
    }
}

/// Candles of one market and interval from REST or the store.
public struct CandlePage: Sendable, Hashable {
    /// The market.
    public var market: MarketID
    /// The interval.
    public var interval: CandleInterval
    /// Ascending by open time, on the grid, one per bucket.
    ///
    /// The last one may be running.
    public let candles: [Candle]
    /// When the request was sent, in exchange time.
    ///
    /// Every earlier trade is included. For stored candles, when the newest one was fetched.
    public var requestedAt: Timestamp
    /// When the answer arrived, in exchange time.
    ///
    /// No later trade is included.
    public var answeredAt: Timestamp
    /// Spans that REST answers covered completely; empty for the newest candles of REST.
    ///
    /// Ascending and disjoint. A bucket without a candle inside a span had no trade.
    public var spans: [Range<Timestamp>]
    /// Whether the exchange may have older candles that were not asked for.
    public var isNewestPart = false

    /// Makes a page from raw rows of the exchange.
    ///
    /// The exchange stamps the running row with the time of its answer and repeats rows. Each row
    /// moves to the start of its bucket. Of several rows in one bucket the latest stamp wins, then
    /// the last row.
    public init(
        market: MarketID,
        interval: CandleInterval,
        candles: [Candle],
        requestedAt: Timestamp,
        answeredAt: Timestamp,
        spans: [Range<Timestamp>] = []
    ) {
        self.market = market
        self.interval = interval
        self.candles = candles.onGrid(of: interval)
        self.requestedAt = requestedAt
        self.answeredAt = answeredAt
        self.spans = spans
    }
}

extension CandlePage {
    /// Whether the page comes from the store.
    public var isStored: Bool { candles.last?.origin == .store }
}

extension [Candle] {
    /// Candles at the start of their buckets, ascending, one per bucket.
    fileprivate func onGrid(of interval: CandleInterval) -> [Candle] {
        let isAscending = zip(self, dropFirst()).allSatisfy { $0.openTime <= $1.openTime }
        let ascending =
            isAscending
            ? self
            : enumerated()
                .sorted { ($0.element.openTime, $0.offset) < ($1.element.openTime, $1.offset) }
                .map(\.element)
        var placed: [Candle] = []
        placed.reserveCapacity(ascending.count)
        for var candle in ascending {
            candle.openTime = interval.bucketStart(of: candle.openTime)
            if placed.last?.openTime == candle.openTime { placed.removeLast() }
            placed.append(candle)
        }
        return placed
    }
}
