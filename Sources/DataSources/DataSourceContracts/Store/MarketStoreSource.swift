/// A store of market data: candles, last prices, names and warnings.
///
/// The data of different feeds (`live`, `simulated`) are separate. The guarantees of
/// ``UserRecordSource`` apply. All times are microseconds since 1970 UTC in the years 1 to 9999,
/// and decimals are canonical texts. A shared store refuses other values.
public protocol MarketStoreSource: Sendable {
    /// Writes the candles of one answer.
    ///
    /// Of two for the same market, interval and open time the one fetched later is kept, or the one
    /// of the later call if both were fetched at the same time.
    func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError)

    /// The newest candles of a market, ascending, with all covered spans.
    ///
    /// - Parameters:
    ///   - series: the market and the interval.
    ///   - count: the most candles.
    ///   - end: only candles that open before it are returned; nil for all.
    /// - Returns: the candles and the spans.
    /// - Throws: ``StoreError``.
    func candles(
        of series: CandleSeriesDTO,
        newest count: Int,
        before end: Int64?
    ) async throws(StoreError) -> StoredCandlesDTO

    /// Removes candles of these intervals that open before `time`, and the spans before it.
    ///
    /// A store with partitions of a day or a month may keep a partition until all of it is that
    /// old.
    ///
    /// - Returns: the number of removed candles.
    func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int

    /// Removes journal rows that are older or more than the store keeps, of all users.
    ///
    /// A store whose changes prune their own user's journal may do nothing.
    func pruneJournals() async throws(StoreError)

    /// Writes last prices.
    ///
    /// Of two for the same market the later one is kept, or the one of the later call if both have
    /// the same time.
    func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError)

    /// All last prices of a feed, by market.
    func closes(feed: String) async throws(StoreError) -> [StoredPriceDTO]

    /// Replaces all names of coins of a feed.
    func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError)

    /// The names of coins of a feed; nil if none were ever stored.
    func names(feed: String) async throws(StoreError) -> StoredNamesDTO?

    /// Replaces all warnings of a feed.
    func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError)

    /// The warnings of a feed; nil if none were ever stored.
    func marks(feed: String) async throws(StoreError) -> StoredWarningsDTO?
}

extension MarketStoreSource {
    /// The newest candles of a market, whenever they open.
    public func candles(
        of series: CandleSeriesDTO,
        newest count: Int
    ) async throws(StoreError) -> StoredCandlesDTO {
        try await candles(of: series, newest: count, before: nil)
    }
}

/// The key of a series of candles.
public struct CandleSeriesDTO: Sendable, Hashable {
    /// `live` or `simulated`.
    public var feed: String
    /// `BTC_KRW`.
    public var market: String
    /// `1m` … `24h`: an interval that the exchange serves.
    public var interval: String

    /// Makes a key.
    public init(feed: String, market: String, interval: String) {
        self.feed = feed
        self.market = market
        self.interval = interval
    }
}

/// Stored candles of one series.
public struct StoredCandlesDTO: Sendable, Hashable {
    /// A row of `candles`.
    public struct Row: Sendable, Hashable {
        /// The open time of its bucket.
        public var openTime: Int64
        /// The first price.
        public var open: String
        /// The highest price.
        public var high: String
        /// The lowest price.
        public var low: String
        /// The last price.
        public var close: String
        /// Base volume.
        public var volume: String
        /// When it was fetched.
        public var fetchedAt: Int64

        /// Makes a row.
        public init(
            openTime: Int64,
            open: String,
            high: String,
            low: String,
            close: String,
            volume: String,
            fetchedAt: Int64
        ) {
            self.openTime = openTime
            self.open = open
            self.high = high
            self.low = low
            self.close = close
            self.volume = volume
            self.fetchedAt = fetchedAt
        }
    }

    /// A row of `candle_spans`: everything in this time is known.
    ///
    /// A bucket without a candle had no trade.
    public struct Span: Sendable, Hashable {
        /// Open time of the first bucket.
        public var from: Int64
        /// Open time of the first bucket after the span.
        public var to: Int64

        /// Makes a span.
        public init(from: Int64, to: Int64) {
            self.from = from
            self.to = to
        }
    }

    /// The key of the series.
    public var series: CandleSeriesDTO
    /// The candles, ascending by open time, each once.
    public var rows: [Row]
    /// Covered spans: ascending and disjoint.
    ///
    /// Stored spans that overlap or touch are joined.
    public var spans: [Span]

    /// Makes stored candles.
    public init(series: CandleSeriesDTO, rows: [Row], spans: [Span]) {
        self.series = series
        self.rows = rows
        self.spans = spans
    }
}

/// A row of `closes`.
public struct StoredPriceDTO: Sendable, Hashable {
    /// `BTC_KRW`.
    public var market: String
    /// The last price.
    public var price: String
    /// Exchange time of the price.
    public var at: Int64
    /// Quote turnover of 24 hours, if known.
    public var tradeValue24h: String?
    /// False if the exchange had suspended or delisted the market.
    public var isTrading: Bool

    /// Makes a row.
    public init(
        market: String,
        price: String,
        at: Int64,
        tradeValue24h: String?,
        isTrading: Bool = true
    ) {
        self.market = market
        self.price = price
        self.at = at
        self.tradeValue24h = tradeValue24h
        self.isTrading = isTrading
    }
}

/// The names of coins from one answer.
public struct StoredNamesDTO: Sendable, Hashable {
    /// A row of `coin_names`.
    public struct Row: Sendable, Hashable {
        /// The coin's code.
        public var symbol: String
        /// The Korean name.
        public var korean: String
        /// The English name; empty if there is none.
        public var english: String

        /// Makes a row.
        public init(symbol: String, korean: String, english: String) {
            self.symbol = symbol
            self.korean = korean
            self.english = english
        }
    }

    /// The rows, alphabetical by code.
    public var rows: [Row]
    /// When they were read from the exchange.
    public var readAt: Int64

    /// Makes the names of one answer.
    public init(rows: [Row], readAt: Int64) {
        self.rows = rows
        self.readAt = readAt
    }
}

/// The warnings about markets from one answer.
public struct StoredWarningsDTO: Sendable, Hashable {
    /// A row of `market_alerts`.
    public struct Alert: Sendable, Hashable {
        /// `BTC_KRW`.
        public var market: String
        /// The type of the warning.
        public var type: String
        /// Its severity, if the exchange gives one.
        public var step: String?
        /// When it ends, if known.
        public var endsAt: Int64?

        /// Makes a row.
        public init(market: String, type: String, step: String?, endsAt: Int64?) {
            self.market = market
            self.type = type
            self.step = step
            self.endsAt = endsAt
        }
    }

    /// The markets with an investment warning, alphabetical.
    public var warned: [String]
    /// The warnings in the order of the exchange.
    public var alerts: [Alert]
    /// When they were read from the exchange.
    public var readAt: Int64

    /// Makes the warnings of one answer.
    public init(warned: [String], alerts: [Alert], readAt: Int64) {
        self.warned = warned
        self.alerts = alerts
        self.readAt = readAt
    }
}

extension Sequence<StoredCandlesDTO.Span> {
    /// The same times as ascending spans that neither overlap nor touch, without empty ones.
    public var joined: [StoredCandlesDTO.Span] {
        var joined: [StoredCandlesDTO.Span] = []
        for span in sorted(by: { $0.from < $1.from }) where span.from < span.to {
            if let last = joined.last, span.from <= last.to {
                joined[joined.count - 1].to = Swift.max(last.to, span.to)
            } else {
                joined.append(span)
            }
        }
        return joined
    }
}

extension MarketStoreSource {
    /// Does nothing.
    public func pruneJournals() async throws(StoreError) {}
}
