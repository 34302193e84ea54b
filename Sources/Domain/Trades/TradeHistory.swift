/// Past trades of one market from REST, with times in whole seconds.
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
    /// Oldest first; trades of one second in their original order.
    public let rows: [Row]
    /// Whether no trade exists before the oldest row: the exchange returned fewer rows than
    /// requested.
    public var isComplete: Bool

    /// Makes a history from rows in any order.
    ///
    /// The exchange sends the oldest first, its own example the newest first; the times decide.
    public init(market: MarketID, rows: [Row], isComplete: Bool) {
        self.market = market
        self.rows = rows.oldestFirst
        self.isComplete = isComplete
    }
}

extension [TradeHistory.Row] {
    /// Rows by time; trades of one second keep their order.
    ///
    /// Rows sent newest first are reversed.
    fileprivate var oldestFirst: [TradeHistory.Row] {
        guard let first, let last else { return self }
        let rows = first.second > last.second ? Array(reversed()) : self
        let isAscending = zip(rows, rows.dropFirst()).allSatisfy { $0.second <= $1.second }
        if isAscending { return rows }
        // The standard library's sort is stable, but its documentation does not promise it.
        return rows.enumerated()
            .sorted { ($0.element.second, $0.offset) < ($1.element.second, $1.offset) }
            .map(\.element)
    }
}
