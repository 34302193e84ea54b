/// The trades of one bucket of time as five numbers.
public struct Candle: Sendable, Hashable {
    /// Where a candle's numbers come from.
    public enum Origin: String, Sendable, Hashable {
        /// The store.
        case store
        /// A REST answer.
        case rest
        /// Trades of the stream, perhaps on top of what REST gave.
        case live
    }

    /// When the bucket opens: always on the grid of its interval.
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
    /// Where the numbers come from.
    public var origin: Origin
    /// Whether REST said otherwise than the trades had.
    public var isCorrected: Bool

    /// Whether the first price lies outside the others, as that of a new listing may.
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

/// What REST says of the candles of one market and interval.
public struct CandlePage: Sendable, Hashable {
    /// The market.
    public var market: MarketID
    /// The interval.
    public var interval: CandleInterval
    /// Ascending by open time, on the grid, each bucket once; the last one may be running.
    public let candles: [Candle]
    /// When the answer was asked for, in exchange time: no trade before it is missing in it; of
    /// candles of the store, when the newest was.
    public var requestedAt: Timestamp
    /// When the answer was there, in exchange time: no trade after it is in it.
    public var answeredAt: Timestamp
    /// What earlier readings told everything of, for candles of the store; else empty.
    ///
    /// Ascending and apart from each other; a bucket in it without a candle had no trade.
    public var spans: [Range<Timestamp>]

    /// Makes a page of rows as the exchange has them.
    ///
    /// It stamps the running one with the time of its answer, and repeats rows. Each goes to the
    /// bucket that its time lies in; of several in one bucket the one that is stamped last counts,
    /// then the one that came last.
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
    /// Whether the page is what a store kept, and not an answer of the exchange.
    public var isStored: Bool { candles.last?.origin == .store }
}

extension [Candle] {
    /// The candles at the beginning of their buckets, ascending, each bucket once.
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
