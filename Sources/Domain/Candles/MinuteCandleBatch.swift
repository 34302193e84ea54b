/// One minute candles built from live trades, and the minutes they cover completely.
public struct MinuteCandleBatch: Sendable, Hashable {
    /// One candle of one market.
    public struct Row: Sendable, Hashable {
        /// The market.
        public var market: MarketID
        /// The candle.
        public var candle: Candle
        /// Exchange time of the newest trade in the candle.
        public var lastTradeAt: Timestamp

        /// Makes a row.
        public init(market: MarketID, candle: Candle, lastTradeAt: Timestamp) {
            self.market = market
            self.candle = candle
            self.lastTradeAt = lastTradeAt
        }
    }

    /// Candles, ascending by time, one per market and minute.
    public var rows: [Row]
    /// Whole minutes in which every trade of every market was received; ascending and disjoint.
    public var covered: [Range<Timestamp>]

    /// Makes a batch.
    public init(rows: [Row], covered: [Range<Timestamp>]) {
        self.rows = rows
        self.covered = covered
    }
}

/// A market whose trades may be incomplete in a span, while those of all other markets are
/// complete.
public struct PartialMarketData: Sendable, Hashable {
    /// The market.
    public var market: MarketID
    /// The affected minutes.
    public var span: Range<Timestamp>

    /// Makes an entry.
    public init(market: MarketID, span: Range<Timestamp>) {
        self.market = market
        self.span = span
    }
}
