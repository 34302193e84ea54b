/// An event of the market list: what the exchange or the connection of the list did.
public enum MarketEvent: Sendable, Hashable {
    /// All markets of one quote currency, from REST.
    case listing(Listing)
    /// A ticker frame of the stream.
    case ticker(TickerFrame)
    /// A ticker frame of a source whose prices are not used: what it says of its period alone.
    case base(TickerFrame)
    /// The figures of one market from the stream, and their exchange time.
    case row(ListingEntry, at: Timestamp)
    /// The figures of one market when the stream was subscribed, and their exchange time: they
    /// prove no life of the stream.
    case state(ListingEntry, at: Timestamp)
    /// A trade of the stream.
    case trade(Trade)
    /// Closes of one market, read over REST as bases of changes.
    case closes(ClosePage)
    /// The feed's state changed.
    case feed(FeedEvent)
    /// A day began in Seoul, counted from 1970-01-01.
    ///
    /// Figures of the day before become unknown.
    case dayBegan(Int)
    /// Number of entries that could not be decoded and were skipped.
    case skipped(Int, SkippedEntries.Kind = .stream)
}

/// An event of the detail feed: books, past trades and candles of markets with subscribers.
public enum DetailEvent: Sendable, Hashable {
    /// A whole order book.
    case orderBook(OrderBookSnapshot)
    /// Changes of an order book.
    case depth(OrderBookDelta)
    /// Past trades, from REST.
    case tradeHistory(TradeHistory)
    /// Candles, from REST or from the store.
    case candles(CandlePage)
    /// A block of past candles, from REST.
    case pastCandles(CandleBlockPage)
    /// The detail feed's state changed.
    case feed(DetailFeedEvent)
    /// Number of entries that could not be decoded and were skipped.
    case skipped(Int, SkippedEntries.Kind)
}

/// Events that arrived together.
public struct FeedBatch<Event: Sendable>: Sendable {
    /// The events in order.
    public var events: [Event]
    /// When they were received, on the local wall clock.
    public var receivedAt: Timestamp
    /// Number of stream frames they came in.
    public var frameCount: Int
    /// How far the exchange's clock was ahead of the local one then; nil if that is not told.
    public var clockLead: Duration?

    /// Makes a batch.
    public init(
        events: [Event],
        receivedAt: Timestamp,
        frameCount: Int = 0,
        clockLead: Duration? = nil
    ) {
        self.events = events
        self.receivedAt = receivedAt
        self.frameCount = frameCount
        self.clockLead = clockLead
    }
}

/// Events of the market list that arrived together.
public typealias MarketEventBatch = FeedBatch<MarketEvent>

/// Events of the detail feed that arrived together.
public typealias DetailEventBatch = FeedBatch<DetailEvent>

/// Reference data that arrived together.
public typealias ReferenceEventBatch = FeedBatch<ReferenceEvent>

/// All markets of one quote currency at one moment.
public struct Listing: Sendable, Hashable {
    /// The quote currency.
    public var quote: Quote
    /// Exchange time of the answer; if it has none, that of the newest trade it tells, else the
    /// receive time.
    public var at: Timestamp
    /// Local time at which it was asked for; nil if that is not known.
    ///
    /// Its rows may have been read one after the other since.
    public var requestedAt: Timestamp?
    /// The markets that trade.
    public var entries: [ListingEntry]
    /// Markets listed without values: suspended.
    public var suspended: [MarketID]
    /// Markets whose entry could not be decoded.
    ///
    /// They are listed and stay unchanged.
    public var unreadable: [MarketID]

    /// Makes a listing.
    public init(
        quote: Quote,
        at: Timestamp,
        entries: [ListingEntry],
        suspended: [MarketID],
        unreadable: [MarketID] = []
    ) {
        self.quote = quote
        self.at = at
        self.entries = entries
        self.suspended = suspended
        self.unreadable = unreadable
    }

    /// The markets that a stream is subscribed for: one whose entry could not be decoded has frames
    /// all the same.
    public var subscribable: [MarketID] { entries.map(\.market) + unreadable }
}

/// One market of a listing; nil means unknown.
public struct ListingEntry: Sendable, Hashable {
    /// The market.
    public var market: MarketID
    /// Price of the last trade; never zero.
    public var price: FixedDecimal?
    /// Exchange time of the last trade; nil if it is not told.
    public var tradedAt: Timestamp?
    /// Whether the exchange has suspended trading; nil if it is not told.
    public var isSuspended: Bool? = false
    /// 전일종가: last price of the previous Seoul day; never zero.
    public var previousClose: FixedDecimal?
    /// First price since 00:00 in Seoul; never zero.
    public var openToday: FixedDecimal?
    /// Highest price since 00:00 in Seoul; never zero.
    public var highToday: FixedDecimal?
    /// Lowest price since 00:00 in Seoul; never zero.
    public var lowToday: FixedDecimal?
    /// Quote turnover since 00:00 in Seoul.
    public var tradeValueToday: FixedDecimal?
    /// Base volume since 00:00 in Seoul.
    public var volumeToday: FixedDecimal?
    /// Base volume of the rolling 24 hours.
    public var volume24h: FixedDecimal?
    /// Quote turnover of the rolling 24 hours.
    public var tradeValue24h: FixedDecimal?
    /// Price minus the price 24 hours ago; nil in BTC markets, where the exchange rounds it.
    public var changeAmount24h: FixedDecimal?
    /// Change over 24 hours in percent, as printed by the exchange.
    public var changeRate24h: FixedDecimal?

    /// Makes an entry without values.
    public init(market: MarketID) { self.market = market }
}

/// A ticker frame: one market over one period.
public struct TickerFrame: Sendable, Hashable {
    /// The market.
    public var market: MarketID
    /// The period.
    public var period: ChangePeriod
    /// Exchange time, whole seconds.
    public var at: Timestamp
    /// Price at the start of the period.
    public var openPrice: FixedDecimal
    /// Price of the last trade.
    public var closePrice: FixedDecimal
    /// Quote turnover of the period.
    public var tradeValue: FixedDecimal
    /// Base volume of the period.
    public var volume: FixedDecimal
    /// `closePrice` minus `openPrice`, as printed by the exchange.
    public var changeAmount: FixedDecimal
    /// Change in percent of `openPrice`, as printed by the exchange.
    public var changeRate: FixedDecimal
    /// Highest price of the period; nil if unknown.
    public var highPrice: FixedDecimal?
    /// Lowest price of the period; nil if unknown.
    public var lowPrice: FixedDecimal?
    /// Base volume bought by takers; nil if unknown.
    public var buyVolume: FixedDecimal?
    /// Base volume sold by takers; nil if unknown.
    public var sellVolume: FixedDecimal?

    /// Makes a frame.
    public init(
        market: MarketID,
        period: ChangePeriod,
        at: Timestamp,
        openPrice: FixedDecimal,
        closePrice: FixedDecimal,
        tradeValue: FixedDecimal,
        volume: FixedDecimal,
        changeAmount: FixedDecimal,
        changeRate: FixedDecimal
    ) {
        self.market = market
        self.period = period
        self.at = at
        self.openPrice = openPrice
        self.closePrice = closePrice
        self.tradeValue = tradeValue
        self.volume = volume
        self.changeAmount = changeAmount
        self.changeRate = changeRate
    }
}

/// One trade.
public struct Trade: Sendable, Hashable {
    /// The side of the taker.
    public enum Side: Sendable, Hashable {
        /// The taker bought.
        case buy
        /// The taker sold.
        case sell
    }

    /// The market.
    public var market: MarketID
    /// The price in the quote currency.
    public var price: FixedDecimal
    /// The base quantity.
    public var quantity: FixedDecimal
    /// The side of the taker.
    public var side: Side
    /// Exchange time in microseconds.
    public var executedAt: Timestamp

    /// Makes a trade.
    public init(
        market: MarketID,
        price: FixedDecimal,
        quantity: FixedDecimal,
        side: Side,
        executedAt: Timestamp
    ) {
        self.market = market
        self.price = price
        self.quantity = quantity
        self.side = side
        self.executedAt = executedAt
    }
}
