/// A side of an order book.
public enum BookSide: Sendable, Hashable, CaseIterable {
    /// 매도: what is offered for sale; the lowest price is the best.
    case ask
    /// 매수: what is bid for; the highest price is the best.
    case bid

    /// The opposite side.
    public var other: BookSide { self == .ask ? .bid : .ask }
}

/// All that rests at one price of one side.
public struct BookLevel: Sendable, Hashable {
    /// The price in the quote currency; above zero.
    public var price: FixedDecimal
    /// The base quantity.
    public var quantity: FixedDecimal

    /// Makes a level.
    public init(price: FixedDecimal, quantity: FixedDecimal) {
        self.price = price
        self.quantity = quantity
    }
}

/// A whole order book as the exchange shows it at one moment: the truth, thirty levels deep.
public struct OrderBookSnapshot: Sendable, Hashable {
    /// How many levels a side the exchange shows at the most: a side with fewer is complete.
    public static let levelsMax = 30

    /// Where a snapshot came from.
    public enum Origin: Sendable, Hashable {
        /// A REST answer; quantities are cut to four fraction digits there.
        case rest
        /// The stream.
        case stream
    }

    /// The market.
    public var market: MarketID
    /// Exchange time: the book holds everything until then.
    public var at: Timestamp
    /// Selling levels, best first; none of quantity zero.
    public var asks: [BookLevel]
    /// Buying levels, best first; none of quantity zero.
    public var bids: [BookLevel]
    /// Where it came from.
    public var origin: Origin
    /// How many asks the exchange listed, those of quantity zero included: a remainder too small
    /// to be printed takes up one of the thirty places too.
    public var asksListed: Int
    /// How many bids the exchange listed, those of quantity zero included.
    public var bidsListed: Int

    /// Makes a snapshot whose levels are all that the exchange listed.
    public init(
        market: MarketID,
        at: Timestamp,
        asks: [BookLevel],
        bids: [BookLevel],
        origin: Origin
    ) {
        self.market = market
        self.at = at
        self.asks = asks
        self.bids = bids
        self.origin = origin
        asksListed = asks.count
        bidsListed = bids.count
    }

    /// The levels of a side, best first.
    public func levels(_ side: BookSide) -> [BookLevel] { side == .ask ? asks : bids }

    /// Whether a side has no level beyond those it tells, because the exchange listed fewer than
    /// it shows at the most.
    public func isComplete(_ side: BookSide) -> Bool {
        max(levels(side).count, side == .ask ? asksListed : bidsListed) < Self.levelsMax
    }
}

/// Levels of one order book that changed at one moment.
public struct OrderBookDelta: Sendable, Hashable {
    /// One level: what rests there now, not by how much it changed.
    public struct Change: Sendable, Hashable {
        /// The side.
        public var side: BookSide
        /// The price; above zero.
        public var price: FixedDecimal
        /// All that rests there now; zero deletes the level.
        public var quantity: FixedDecimal

        /// Makes a change.
        public init(side: BookSide, price: FixedDecimal, quantity: FixedDecimal) {
            self.side = side
            self.price = price
            self.quantity = quantity
        }
    }

    /// The market.
    public var market: MarketID
    /// Exchange time in microseconds.
    public var at: Timestamp
    /// The changes in the order of the wire.
    public var changes: [Change]

    /// Makes a set of changes.
    public init(market: MarketID, at: Timestamp, changes: [Change]) {
        self.market = market
        self.at = at
        self.changes = changes
    }
}
