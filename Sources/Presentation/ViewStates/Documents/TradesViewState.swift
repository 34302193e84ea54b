public import Domain

/// The newest trades of one market.
public struct TradesViewState: DetailBlock {
    /// `trades`.
    public static let schemaName = "trades"

    /// One trade.
    public struct Row: Sendable, Equatable, Decodable {
        /// The side of the taker.
        public enum Side: String, Sendable, Equatable, Decodable, CaseIterable {
            /// The taker bought.
            case buy
            /// The taker sold.
            case sell
        }

        /// Exchange time in microseconds, a dot, and the number of the twin.
        public var id: String
        /// Exchange time.
        public var at: Timestamp
        /// `21:03:11`, Seoul time.
        public var timeText: String
        /// The price.
        public var price: FixedDecimal
        /// `143,210,000`.
        public var priceText: String
        /// The base quantity.
        public var quantity: FixedDecimal
        /// `0.0012`.
        public var quantityText: String
        /// 체결금액: price × quantity, cut to whole won or 8 decimals of bitcoin.
        public var amount: FixedDecimal
        /// `171,852`.
        public var amountText: String
        /// The side of the taker.
        public var side: Side
        /// Where the price went against the trade before; nil for the oldest trade held.
        public var tickDirection: DirectionViewState?

        /// Makes a row.
        public init(
            id: String,
            at: Timestamp,
            timeText: String,
            price: FixedDecimal,
            priceText: String,
            quantity: FixedDecimal,
            quantityText: String,
            amount: FixedDecimal,
            amountText: String,
            side: Side,
            tickDirection: DirectionViewState?
        ) {
            self.id = id
            self.at = at
            self.timeText = timeText
            self.price = price
            self.priceText = priceText
            self.quantity = quantity
            self.quantityText = quantityText
            self.amount = amount
            self.amountText = amountText
            self.side = side
            self.tickDirection = tickDirection
        }
    }

    /// How fresh and complete the trades are.
    public var health: HealthViewState
    /// Newest first.
    public var rows: [Row]
    /// How many trades arrived but could not be taken.
    public var dropped: Int
    /// Spans in which trades may be missing.
    public var gaps: [GapViewState]

    /// Makes a list.
    public init(health: HealthViewState, rows: [Row], dropped: Int, gaps: [GapViewState]) {
        self.health = health
        self.rows = rows
        self.dropped = dropped
        self.gaps = gaps
    }
}

/// A span of time without data.
public struct GapViewState: Sendable, Equatable, Decodable {
    /// Why there are none.
    public enum Reason: String, Sendable, Equatable, Decodable, CaseIterable {
        /// Nothing was traded.
        case noTrade
        /// Data were lost.
        case missing
    }

    /// Where the span begins.
    public var from: Timestamp
    /// Where it ends.
    public var to: Timestamp
    /// Why there are no data.
    public var reason: Reason

    /// Makes a gap.
    public init(from: Timestamp, to: Timestamp, reason: Reason) {
        self.from = from
        self.to = to
        self.reason = reason
    }
}
