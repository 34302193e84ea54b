public import Domain

/// The order book of one market, grouped and cut to a depth.
public struct OrderBookViewState: DetailBlock {
    /// `order-book`.
    public static let schemaName = "order-book"
    /// `OrderBookState`.
    public static let stateName = "OrderBookState"

    /// One level.
    public struct Level: DocumentObject {
        /// The price, or the edge of the price group that is farthest from the spread.
        public var price: FixedDecimal
        /// `143,211,000`.
        public var priceText: String
        /// 잔량: the base quantity at the level.
        public var quantity: FixedDecimal
        /// `0.0421`.
        public var quantityText: String
        /// 누적잔량: the quantity from the best level to this one.
        public var cumulative: FixedDecimal
        /// The price against the previous close in percent, two decimals; nil while unknown.
        public var changeRatePercent: FixedDecimal?
        /// The direction of the rounded change.
        public var priceDirection: DirectionViewState?
        /// The quantity relative to the largest shown on both sides: 0...1, two decimals.
        public var ratioBoth: FixedDecimal
        /// The quantity relative to the largest shown on its side: 0...1, two decimals.
        public var ratioSide: FixedDecimal
        /// Whether the last trade was at this price, or within this group.
        public var isLastTrade: Bool

        /// Makes a level.
        public init(
            price: FixedDecimal,
            priceText: String,
            quantity: FixedDecimal,
            quantityText: String,
            cumulative: FixedDecimal,
            changeRatePercent: FixedDecimal?,
            priceDirection: DirectionViewState?,
            ratioBoth: FixedDecimal,
            ratioSide: FixedDecimal,
            isLastTrade: Bool
        ) {
            self.price = price
            self.priceText = priceText
            self.quantity = quantity
            self.quantityText = quantityText
            self.cumulative = cumulative
            self.changeRatePercent = changeRatePercent
            self.priceDirection = priceDirection
            self.ratioBoth = ratioBoth
            self.ratioSide = ratioSide
            self.isLastTrade = isLastTrade
        }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("Level", "The quantity at one price, or within one price group.")
            fields.add("price", \.price)
            fields.add("priceText", \.priceText)
            fields.add("quantity", \.quantity)
            fields.add("quantityText", \.quantityText)
            fields.add("cumulative", \.cumulative, note: "From the best level to this one.")
            fields.add(
                "changeRatePercent",
                \.changeRatePercent,
                note: "Against the previous close."
            )
            fields.add("priceDirection", \.priceDirection)
            fields.add(
                "ratioBoth",
                \.ratioBoth,
                note: "Relative to the largest of both sides, 0 to 1."
            )
            fields.add(
                "ratioSide",
                \.ratioSide,
                note: "Relative to the largest of its side, 0 to 1."
            )
            fields.add("isLastTrade", \.isLastTrade)
        }
    }

    /// The best level of each side, ungrouped, independent of the depth; nil for an empty side.
    public struct Best: DocumentObject {
        /// A price and its quantity.
        public struct Quote: DocumentObject {
            /// The price.
            public var price: FixedDecimal
            /// The base quantity.
            public var quantity: FixedDecimal

            /// Makes a quote.
            public init(price: FixedDecimal, quantity: FixedDecimal) {
                self.price = price
                self.quantity = quantity
            }

            /// The members.
            public static func listFields(_ fields: inout some FieldList<Self>) {
                fields.object("BestQuote", "A price and its quantity.")
                fields.add("price", \.price)
                fields.add("quantity", \.quantity)
            }
        }

        /// The lowest ask.
        public var ask: Quote?
        /// The highest bid.
        public var bid: Quote?

        /// Makes a pair.
        public init(ask: Quote?, bid: Quote?) {
            self.ask = ask
            self.bid = bid
        }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("The best level of each side, ungrouped; null for an empty side.")
            fields.add("ask", \.ask)
            fields.add("bid", \.bid)
        }
    }

    /// Sums over the shown levels.
    public struct Totals: DocumentObject {
        /// Total ask quantity.
        public var askQuantity: FixedDecimal
        /// Total bid quantity.
        public var bidQuantity: FixedDecimal
        /// The bids in percent of both sides, two decimals; nil while both are empty.
        public var bidSharePercent: FixedDecimal?

        /// Makes sums.
        public init(
            askQuantity: FixedDecimal,
            bidQuantity: FixedDecimal,
            bidSharePercent: FixedDecimal?
        ) {
            self.askQuantity = askQuantity
            self.bidQuantity = bidQuantity
            self.bidSharePercent = bidSharePercent
        }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("Sums over the shown levels.")
            fields.add("askQuantity", \.askQuantity)
            fields.add("bidQuantity", \.bidQuantity)
            fields.add("bidSharePercent", \.bidSharePercent)
        }
    }

    /// How fresh and complete the book is.
    public var health: HealthViewState
    /// The requested levels per side.
    public var depth: Int
    /// 호가 모아보기: the price step of the levels; nil while no price is known.
    public var group: FixedDecimal?
    /// How many levels the deeper side has in memory.
    public var levelsKept: Int
    /// Whether the sides cross; conflicting older levels are hidden until a REST snapshot arrives.
    public var crossed: Bool
    /// How often a snapshot found the local book different and replaced it.
    public var heals: Int
    /// 매도: best first, ascending.
    public var asks: [Level]
    /// 매수: best first, descending.
    public var bids: [Level]
    /// The best of each side.
    public var best: Best
    /// The lowest ask less the highest bid; nil with an empty side.
    public var spread: FixedDecimal?
    /// `1,000`.
    public var spreadText: String?
    /// The midpoint of best ask and best bid.
    public var mid: FixedDecimal?
    /// Sums over the shown levels.
    public var totals: Totals
    /// The last hour of the spread, which screens record; no member of documents.
    public var spreadHour: SpreadHourViewState?

    /// The members of documents.
    private enum CodingKeys: String, CodingKey {
        case health, depth, group, levelsKept, crossed, heals, asks, bids, best, spread, spreadText,
            mid, totals
    }

    /// Makes a book.
    public init(
        health: HealthViewState,
        depth: Int,
        group: FixedDecimal?,
        levelsKept: Int,
        crossed: Bool,
        heals: Int,
        asks: [Level],
        bids: [Level],
        best: Best,
        spread: FixedDecimal?,
        spreadText: String?,
        mid: FixedDecimal?,
        totals: Totals
    ) {
        self.health = health
        self.depth = depth
        self.group = group
        self.levelsKept = levelsKept
        self.crossed = crossed
        self.heals = heals
        self.asks = asks
        self.bids = bids
        self.best = best
        self.spread = spread
        self.spreadText = spreadText
        self.mid = mid
        self.totals = totals
    }

    /// About 350 bytes a level.
    public var estimatedJSONSize: Int { 1_024 + (asks.count + bids.count) * 350 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object(
            "OrderBook",
            "The order book, grouped and cut to a depth; both sides best first."
        )
        fields.add("health", \.health)
        fields.add("depth", \.depth, .integer(in: 1...MarketDetailQuery.depthMax))
        fields.add("group", \.group)
        fields.add("levelsKept", \.levelsKept)
        fields.add("crossed", \.crossed)
        fields.add("heals", \.heals)
        fields.add("asks", \.asks, .list(of: Level.self, max: MarketDetailQuery.depthMax))
        fields.add("bids", \.bids, .list(of: Level.self, max: MarketDetailQuery.depthMax))
        fields.add("best", \.best)
        fields.add("spread", \.spread)
        fields.add("spreadText", \.spreadText)
        fields.add("mid", \.mid)
        fields.add("totals", \.totals)
    }
}
