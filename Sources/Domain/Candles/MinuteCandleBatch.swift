/// Candles of one minute made of the stream's trades, and of which minutes they are all.
public struct MinuteCandleBatch: Sendable, Hashable {
    /// A candle of a market.
    public struct Row: Sendable, Hashable {
        /// The market.
        public var market: MarketID
        /// The candle.
        public var candle: Candle
        /// When the newest trade in it was, in exchange time.
        public var lastTradeAt: Timestamp

        /// Makes a row.
        public init(market: MarketID, candle: Candle, lastTradeAt: Timestamp) {
            self.market = market
            self.candle = candle
            self.lastTradeAt = lastTradeAt
        }
    }

    /// The candles, ascending by time; each market and minute once.
    public var rows: [Row]
    /// The spans of whole minutes in which every trade of every market was heard; ascending, apart
    /// from each other.
    public var covered: [Range<Timestamp>]

    /// Makes a recording.
    public init(rows: [Row], covered: [Range<Timestamp>]) {
        self.rows = rows
        self.covered = covered
    }
}

/// A market of whose trades the stream may have told only a part, while it told all of the others.
public struct PartialMarketData: Sendable, Hashable {
    /// The market.
    public var market: MarketID
    /// The minutes.
    public var span: Range<Timestamp>

    /// Makes a doubt.
    public init(market: MarketID, span: Range<Timestamp>) {
        self.market = market
        self.span = span
    }
}
