/// A side of an order book.
public enum BookSide: Sendable, Hashable, CaseIterable {
    /// 매도: sell orders; the lowest price is the best.
    case ask
    /// 매수: buy orders; the highest price is the best.
    case bid

    /// The opposite side.
    public var other: BookSide { self == .ask ? .bid : .ask }
}

/// Total quantity at one price of one side.
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

/// A whole order book of the exchange at one moment, up to thirty levels deep.
public struct OrderBookSnapshot: Sendable, Hashable {
    /// Maximum number of levels the exchange lists per side.
    public static let levelsMax = 30

    /// Maximum number of levels per side in a frame of API 2.x.
    public static let bestLevelsMax = 15

    /// Source of a snapshot.
    public enum Origin: Sendable, Hashable {
        /// A REST answer; in API 1.x quantities are truncated to four fraction digits.
        case rest
        /// A stream: in API 1.x snapshots now and then beside changes, in API 2.x snapshots of the
        /// best fifteen levels alone.
        case stream
    }

    /// The market.
    public var market: MarketID
    /// Exchange time; the snapshot includes every change up to then.
    public var at: Timestamp
    /// Asks, best first, without quantity zero.
    public var asks: [BookLevel]
    /// Bids, best first, without quantity zero.
    public var bids: [BookLevel]
    /// Source of the snapshot.
    public var origin: Origin
    /// The API that it comes from.
    public var api: ExchangeAPI
    /// Number of asks the exchange listed, including those of quantity zero.
    ///
    /// A remainder too small to print takes one of the thirty places.
    public var asksListed: Int
    /// Number of bids the exchange listed, including those of quantity zero.
    public var bidsListed: Int
    /// Number of levels that could not be read, of either side.
    public var unreadableCount = 0
    /// The last ask price that the exchange listed, if it is one of quantity zero behind the asks.
    public var emptyAskPrice: FixedDecimal?
    /// The last bid price that the exchange listed, if it is one of quantity zero behind the bids.
    public var emptyBidPrice: FixedDecimal?

    /// Makes a snapshot with exactly the levels that the exchange listed.
    public init(
        market: MarketID,
        at: Timestamp,
        asks: [BookLevel],
        bids: [BookLevel],
        origin: Origin,
        api: ExchangeAPI = .v1
    ) {
        self.market = market
        self.at = at
        self.asks = asks
        self.bids = bids
        self.origin = origin
        self.api = api
        asksListed = asks.count
        bidsListed = bids.count
    }

    /// The levels of a side, best first.
    public func levels(_ side: BookSide) -> [BookLevel] { side == .ask ? asks : bids }

    /// The last price that the exchange listed of a side, whatever its quantity; nil without one.
    public func lastPrice(_ side: BookSide) -> FixedDecimal? {
        (side == .ask ? emptyAskPrice : emptyBidPrice) ?? levels(side).last?.price
    }

    /// Whether the exchange has no levels beyond these: it listed fewer than the maximum.
    public func isComplete(_ side: BookSide) -> Bool {
        max(levels(side).count, side == .ask ? asksListed : bidsListed) < listedMax
    }

    /// Maximum number of levels per side; a side with fewer is complete.
    private var listedMax: Int {
        switch (api, origin) {
        case (.v1, _), (.v2, .rest): Self.levelsMax
        case (.v2, .stream): Self.bestLevelsMax
        }
    }
}

/// Levels of one order book that changed at one moment.
public struct OrderBookDelta: Sendable, Hashable {
    /// The new total quantity of one level, not the difference.
    public struct Change: Sendable, Hashable {
        /// The side.
        public var side: BookSide
        /// The price; above zero.
        public var price: FixedDecimal
        /// Total quantity at the price; zero deletes the level.
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
    /// The changes in wire order.
    public var changes: [Change]

    /// Makes a set of changes.
    public init(market: MarketID, at: Timestamp, changes: [Change]) {
        self.market = market
        self.at = at
        self.changes = changes
    }
}
