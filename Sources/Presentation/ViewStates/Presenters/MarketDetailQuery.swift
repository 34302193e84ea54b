public import Domain

/// A query for one market's detail.
public struct MarketDetailQuery: Sendable, Hashable {
    /// Maximum order book levels per side.
    public static let depthMax = OrderBookSnapshot.levelsMax
    /// Maximum trades of one document.
    public static let tradesMax = 200
    /// Maximum candles of one document.
    public static let candlesMax = 3_000

    /// A selection of candles.
    public enum CandleSelection: Sendable, Hashable {
        /// The newest `count`, of those that open before a time if one is given.
        case newest(count: Int, before: Timestamp?)
        /// The candle whose bucket contains a time.
        case at(Timestamp)
        /// Candles that open in a span, at most ``candlesMax``; used by screens.
        case span(Range<Timestamp>)
    }

    /// A selection of trades.
    public enum TradeSelection: Sendable, Hashable {
        /// The newest.
        case newest
        /// Trades newer than this one.
        case since(TradeID)
        /// Trades older than this one.
        case before(TradeID)
    }

    /// The market.
    public var market: MarketID
    /// The period of the change in the header.
    public var period: ChangePeriod
    /// Order book levels per side, 1...30.
    public var depth: Int
    /// The price step of the book; nil for the market's tick size.
    public var group: FixedDecimal?
    /// The interval of the candles.
    public var interval: CandleInterval
    /// The candles.
    public var candles: CandleSelection
    /// The trades.
    public var trades: TradeSelection
    /// Maximum trades: 1...200 in documents, up to the whole tape on a screen.
    public var tradeLimit: Int
    /// The language of `…Text` fields.
    public var language: Language
    /// The language of messages.
    ///
    /// Screens set the reader's language. In the service's documents it is always Korean, because
    /// `lang` decides `…Text` fields only.
    public var messageLanguage = Language.korean

    /// The defaults of the documents: 10 levels, 100 trades, 200 daily candles.
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

    /// The subscriptions that the whole detail needs.
    public var interests: Set<DetailInterest> {
        [
            DetailInterest(market: market, facet: .book),
            DetailInterest(market: market, facet: .trades),
            DetailInterest(market: market, facet: .candles(interval)),
            DetailInterest(market: market, facet: .candles(.day1)),
        ]
    }
}
