public import Domain

/// The order book of one market, grouped and cut to a depth.
public struct OrderBookViewState: DetailBlock {
    /// `order-book`.
    public static let schemaName = "order-book"

    /// One level.
    public struct Level: Sendable, Equatable, Decodable {
        /// The price, or the edge of the group nearest to the other side's far end.
        public var price: FixedDecimal
        /// `143,211,000`.
        public var priceText: String
        /// 잔량: the base quantity that rests there.
        public var quantity: FixedDecimal
        /// `0.0421`.
        public var quantityText: String
        /// 누적잔량: the quantity from the best level to this one.
        public var cumulative: FixedDecimal
        /// Against the previous close in per cent, two decimals; nil while that is unknown.
        public var changeRatePercent: FixedDecimal?
        /// The direction of the rounded change.
        public var priceDirection: DirectionViewState?
        /// The quantity as a part of the largest shown on both sides: 0...1, two decimals.
        public var ratioBoth: FixedDecimal
        /// The quantity as a part of the largest shown on its own side: 0...1, two decimals.
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
    }

    /// The best level of each side, ungrouped, whatever depth was asked for; nil: an empty side.
    public struct Best: Sendable, Equatable, Decodable {
        /// A price and what rests there.
        public struct Quote: Sendable, Equatable, Decodable {
            /// The price.
            public var price: FixedDecimal
            /// The base quantity.
            public var quantity: FixedDecimal

            /// Makes a quote.
            public init(price: FixedDecimal, quantity: FixedDecimal) {
                self.price = price
                self.quantity = quantity
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
    }

    /// Sums over the shown levels.
    public struct Totals: Sendable, Equatable, Decodable {
        /// The quantity on offer.
        public var askQuantity: FixedDecimal
        /// The quantity bid for.
        public var bidQuantity: FixedDecimal
        /// The bids in per cent of both, two decimals; nil while both sides are empty.
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
    }

    /// How fresh and complete the book is.
    public var health: HealthViewState
    /// How many levels a side were asked for.
    public var depth: Int
    /// 호가 모아보기: the price step of the levels; nil while no price is known.
    public var group: FixedDecimal?
    /// How many levels of the deeper side are held.
    public var levelsKept: Int
    /// Whether the sides cross: older levels in the way are left out until a reading settles it.
    public var crossed: Bool
    /// How often the local book was found different from the exchange's and mended.
    public var heals: Int
    /// 매도: best first, ascending.
    public var asks: [Level]
    /// 매수: best first, descending.
    public var bids: [Level]
    /// The best of each side.
    public var best: Best
    /// The lowest ask less the highest bid; nil with a side empty.
    public var spread: FixedDecimal?
    /// `1,000`.
    public var spreadText: String?
    /// Halfway between the best of both sides.
    public var mid: FixedDecimal?
    /// Sums over the shown levels.
    public var totals: Totals

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
}
