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
    /// Oldest first, those of a second as they came.
    public let rows: [Row]
    /// Whether there was nothing before the oldest row: the exchange gave fewer than asked for.
    public var isComplete: Bool

    /// Makes a history of rows as they were told.
    ///
    /// The exchange tells the oldest first, its own example the newest: the times decide.
    public init(market: MarketID, rows: [Row], isComplete: Bool) {
        self.market = market
        self.rows = rows.oldestFirst
        self.isComplete = isComplete
    }
}

extension [TradeHistory.Row] {
    /// The rows in order of time, those of a second as they came; rows told newest first are
    /// turned round.
    fileprivate var oldestFirst: [TradeHistory.Row] {
        guard let first, let last else { return self }
        let rows = first.second > last.second ? Array(reversed()) : self
        let isAscending = zip(rows, rows.dropFirst()).allSatisfy { $0.second <= $1.second }
        if isAscending { return rows }
        // The sort of the standard library keeps the order of equals; that it does is not promised.
        return rows.enumerated()
            .sorted { ($0.element.second, $0.offset) < ($1.element.second, $1.offset) }
            .map(\.element)
    }
}
