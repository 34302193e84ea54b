public import Domain

/// What a reader asks of one market's detail.
public struct MarketDetailQuery: Sendable, Hashable {
    /// The deepest book that can be asked for, in levels a side.
    public static let depthMax = OrderBookSnapshot.levelsMax
    /// The most trades in one document.
    public static let tradesMax = 200
    /// The most candles in one document.
    public static let candlesMax = 3_000

    /// Which candles are wanted.
    public enum CandleSelection: Sendable, Hashable {
        /// The newest so many; those that open before a time, where one is given.
        case newest(count: Int, before: Timestamp?)
        /// The one whose bucket holds a time.
        case at(Timestamp)
        /// Those that open in a span of time, at most ``candlesMax``: what a screen shows.
        case span(Range<Timestamp>)
    }

    /// Which trades are wanted.
    public enum TradeSelection: Sendable, Hashable {
        /// The newest.
        case newest
        /// Those newer than the one of that name.
        case since(TradeID)
        /// Those older than the one of that name.
        case before(TradeID)
    }

    /// The market.
    public var market: MarketID
    /// The period of the change in the header.
    public var period: ChangePeriod
    /// How many levels a side, 1...30.
    public var depth: Int
    /// The price step of the book; nil for the market's own.
    public var group: FixedDecimal?
    /// The interval of the candles.
    public var interval: CandleInterval
    /// Which candles.
    public var candles: CandleSelection
    /// Which trades.
    public var trades: TradeSelection
    /// How many trades at the most: 1...200 in documents, up to the whole tape on a screen.
    public var tradeLimit: Int
    /// The language of `…Text` fields.
    public var language: Language
    /// The language of all other words, which are the messages of failures.
    ///
    /// That of the reader on a screen; always Korean in the documents of the service, where `lang`
    /// decides `…Text` fields alone.
    public var messageLanguage = Language.korean

    /// Ten levels, a hundred trades and two hundred days, which is what the documents default to.
    public init(market: MarketID) {
        self.market = market
        period = .hours24
        depth = 10
        group = nil
        interval = .day1
        candles = .newest(count: 200, before: nil)
        trades = .newest
        tradeLimit = 100
        language = .korean
    }

    /// What has to be followed for the whole detail.
    public var interests: Set<DetailInterest> {
        [
            DetailInterest(market: market, facet: .book),
            DetailInterest(market: market, facet: .trades),
            DetailInterest(market: market, facet: .candles(interval)),
            DetailInterest(market: market, facet: .candles(.day1)),
        ]
    }
}
