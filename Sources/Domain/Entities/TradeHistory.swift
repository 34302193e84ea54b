/// Past trades of one market as REST tells them, which is to the second.
public struct TradeHistory: Sendable, Hashable {
    /// One trade.
    public struct Row: Sendable, Hashable {
        /// Exchange time in whole seconds since the Unix epoch.
        public var second: Int64
        /// The price in the quote currency.
        public var price: FixedDecimal
        /// The base quantity.
        public var quantity: FixedDecimal
        /// The side of the taker.
        public var side: Trade.Side

        /// Makes a trade.
        public init(
            second: Int64,
            price: FixedDecimal,
            quantity: FixedDecimal,
            side: Trade.Side
        ) {
            self.second = second
            self.price = price
            self.quantity = quantity
            self.side = side
        }
    }

    /// The market.
    public var market: MarketID
    /// Oldest first.
    public var rows: [Row]
    /// Whether there was nothing before the oldest row: the exchange gave fewer than asked for.
    public var isComplete: Bool

    /// Makes a history.
    public init(market: MarketID, rows: [Row], isComplete: Bool) {
        self.market = market
        self.rows = rows
        self.isComplete = isComplete
    }
}
