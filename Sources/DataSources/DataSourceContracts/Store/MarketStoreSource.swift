/// A store of market data: candles, last prices, names and warnings.
///
/// The data of different feeds (`live`, `simulated`) are kept apart. The same promises hold as for
/// ``UserRecordSource``; all times are microseconds since 1970 UTC, of the years 1 to 9999,
/// decimals canonical texts. A shared store refuses what is neither.
public protocol MarketStoreSource: Sendable {
    /// Keeps candles of one reading: of two for the same market, interval and open time the one
    /// that was fetched later stands, the newer call where both were fetched at once.
    func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError)

    /// The newest candles of a market, ascending, with all spans that readings covered.
    func candles(
        of series: CandleSeriesDTO,
        newest count: Int
    ) async throws(StoreError) -> StoredCandlesDTO

    /// Removes candles of these intervals that open before a moment, and what of the spans lies
    /// before it.
    ///
    /// A store that keeps them in parts of a day or a month may keep those of a part until all of
    /// it is that old.
    ///
    /// - Returns: how many candles were removed.
    func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int

    /// Keeps last prices: of two for the same market the one with the later time
    /// stands, the newer call where both are of one time.
    func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError)

    /// All last prices of a feed, by market.
    func closes(feed: String) async throws(StoreError) -> [StoredPriceDTO]

    /// Replaces all names of coins of a feed.
    func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError)

    /// The names of coins of a feed; nil if none were ever kept.
    func names(feed: String) async throws(StoreError) -> StoredNamesDTO?

    /// Replaces all warnings of a feed.
    func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError)

    /// The warnings of a feed; nil if none were ever kept.
    func marks(feed: String) async throws(StoreError) -> StoredWarningsDTO?
}

/// Which candles: feed, market and interval.
public struct CandleSeriesDTO: Sendable, Hashable {
    /// `live` or `simulated`.
    public var feed: String
    /// `BTC_KRW`.
    public var market: String
    /// `1m` … `24h`: an interval that the exchange serves.
    public var interval: String

    /// Makes a series.
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
        /// When its bucket opens.
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

    /// A row of `candle_spans`: readings told everything between these times; a bucket in it
    /// without a candle had no trade.
    public struct Span: Sendable, Hashable {
        /// When the first bucket opens.
        public var from: Int64
        /// When the first bucket opens that is not covered.
        public var to: Int64

        /// Makes a span.
        public init(from: Int64, to: Int64) {
            self.from = from
            self.to = to
        }
    }

    /// Which series.
    public var series: CandleSeriesDTO
    /// The candles, ascending by open time, each once.
    public var rows: [Row]
    /// What was covered: ascending, apart from each other.
    ///
    /// Kept spans that overlap or touch are joined.
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
    /// False if the exchange had suspended the market, or listed it no more.
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

/// The names of coins as one reading told them.
public struct StoredNamesDTO: Sendable, Hashable {
    /// A row of `coin_names`.
    public struct Row: Sendable, Hashable {
        /// The coin's code.
        public var symbol: String
        /// The Korean name.
        public var korean: String
        /// The English name; empty without one.
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

    /// Makes a reading.
    public init(rows: [Row], readAt: Int64) {
        self.rows = rows
        self.readAt = readAt
    }
}

/// The warnings about markets as one reading told them.
public struct StoredWarningsDTO: Sendable, Hashable {
    /// A row of `market_alerts`.
    public struct Alert: Sendable, Hashable {
        /// `BTC_KRW`.
        public var market: String
        /// What it warns of.
        public var type: String
        /// How grave it is, if the exchange says.
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

    /// Makes a reading.
    public init(warned: [String], alerts: [Alert], readAt: Int64) {
        self.warned = warned
        self.alerts = alerts
        self.readAt = readAt
    }
}
