public import Domain

/// The newest trades of one market.
public struct TradesViewState: DetailBlock {
    /// `trades`.
    public static let schemaName = "trades"
    /// `TradesState`.
    public static let stateName = "TradesState"

    /// One trade.
    public struct Row: KeyedRow {
        /// The side of the taker.
        public enum Side: String, DocumentValue, CaseIterable {
            /// The taker bought.
            case buy
            /// The taker sold.
            case sell
        }

        /// Exchange time in microseconds, a dot, and a number that tells equal trades apart.
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
        /// 체결금액: price × quantity, truncated to whole won or 8 decimals of bitcoin.
        public var amount: FixedDecimal
        /// `171,852`.
        public var amountText: String
        /// The side of the taker.
        public var side: Side
        /// The price against the previous trade; nil for the oldest trade in memory.
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

        /// The trade's id.
        public var rowID: String { id }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object(
                "Trade",
                "One trade. The id is its time in microseconds, a dot and a number for equal "
                    + "trades."
            )
            fields.add("id", \.id, .text(pattern: #"^[0-9]+\.[0-9]+$"#))
            fields.add("at", \.at)
            fields.add("timeText", \.timeText)
            fields.add("price", \.price)
            fields.add("priceText", \.priceText)
            fields.add("quantity", \.quantity)
            fields.add("quantityText", \.quantityText)
            fields.add("amount", \.amount)
            fields.add("amountText", \.amountText)
            fields.add("side", \.side)
            fields.add("tickDirection", \.tickDirection)
        }
    }

    /// How fresh and complete the trades are.
    public var health: HealthViewState
    /// Newest first.
    public var rows: [Row]
    /// How many received trades were dropped.
    public var dropped: Int
    /// Spans in which trades may be missing.
    public var gaps: [GapViewState]
    /// Whether the market has trades beyond this page; nil, and absent, in a market's detail.
    ///
    /// A page of trades since one continues with newer trades, any other with older ones.
    public var hasMore: Bool?

    /// Makes a list.
    public init(health: HealthViewState, rows: [Row], dropped: Int, gaps: [GapViewState]) {
        self.health = health
        self.rows = rows
        self.dropped = dropped
        self.gaps = gaps
    }

    /// About 350 bytes a trade.
    public var estimatedJSONSize: Int { 512 + rows.count * 350 + gaps.count * 120 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Trades", "Trades, newest first.")
        fields.add("health", \.health)
        fields.rows("rows", \.rows, insert: .first, max: MarketDetailQuery.tradesMax)
        fields.add("dropped", \.dropped)
        fields.add("gaps", \.gaps)
        fields.optional(
            "hasMore",
            \.hasMore,
            note: "Whether trades follow this page: newer ones with `since`, else older ones."
                + " In the document `trades` only."
        )
    }
}

/// A span of time without data.
public struct GapViewState: DocumentObject {
    /// Why there are no data.
    public enum Reason: String, DocumentValue, CaseIterable {
        /// No trade happened.
        case noTrade
        /// Data were lost.
        case missing
    }

    /// The start of the span.
    public var from: Timestamp
    /// The end of the span.
    public var to: Timestamp
    /// Why there are no data.
    public var reason: Reason

    /// Makes a gap.
    public init(from: Timestamp, to: Timestamp, reason: Reason) {
        self.from = from
        self.to = to
        self.reason = reason
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Gap", "A span of time without data.")
        fields.add("from", \.from)
        fields.add("to", \.to)
        fields.add("reason", \.reason)
    }
}
