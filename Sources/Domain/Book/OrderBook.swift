/// The levels of one market's order book: a pure value.
///
/// Prices are compared as numbers, quantities are absolute, and a level of quantity zero is none.
/// What is said last counts; ``LocalOrderBook`` decides what comes too late to be said. Each level
/// remembers the exchange's time of its last change.
///
/// When sides cross, the newest wins: of the best levels of both sides the older one is left out,
/// the ask if both are of one time (a frame tells asks before bids), until nothing crosses any
/// more. What is left out is only not shown: it stays until a change or a snapshot settles it.
public struct OrderBook: Sendable, Hashable {
    /// How many levels a side are kept at the most; beyond, the farthest from the touch go, and
    /// one that is farther than all is not taken.
    public static let levelsMax = 200

    private var asks = BookLadder()
    private var bids = BookLadder()
    /// How many of the best asks are left out because newer bids cross them.
    private var hiddenAsks = 0
    /// How many of the best bids are left out because newer asks cross them.
    private var hiddenBids = 0

    /// An empty book.
    public init() {}

    /// The levels of a side, best first, without older levels that a newer one crosses.
    public func levels(_ side: BookSide, limit: Int = levelsMax) -> [BookLevel] {
        let shown = ladder(side).levels.dropLast(hidden(side)).suffix(max(limit, 0))
        return shown.reversed().map { BookLevel($0, side) }
    }

    /// The best level of a side as ``levels(_:limit:)`` shows it; nil if there is none.
    public func best(_ side: BookSide) -> BookLevel? {
        ladder(side).best(hidden: hidden(side)).map { BookLevel($0, side) }
    }

    /// How many levels a side has, those included that are left out while sides cross.
    public func count(_ side: BookSide) -> Int { ladder(side).count }

    /// Whether a bid is as high as an ask: the older ones of them are left out of
    /// ``levels(_:limit:)``.
    public var isCrossed: Bool { hiddenAsks + hiddenBids > 0 }

    /// Takes changes, whatever their time; a quantity that is not above zero deletes its level,
    /// and deleting a level that is not there changes nothing.
    public mutating func apply(_ delta: OrderBookDelta) {
        apply(delta.changes, at: delta.at.microseconds)
    }

    /// Takes changes of an exchange time in microseconds.
    mutating func apply(_ changes: [OrderBookDelta.Change], at: Int64) {
        for change in changes {
            switch change.side {
            case .ask: asks.set(0 &- change.price.units, change.quantity.units, at: at)
            case .bid: bids.set(change.price.units, change.quantity.units, at: at)
            }
        }
        settleCrossing()
    }

    /// Changes both sides in a way of their own.
    mutating func withLadders(_ body: (inout BookLadder, BookSide) -> Void) {
        body(&asks, .ask)
        body(&bids, .bid)
        settleCrossing()
    }

    /// Changes one side in a way of its own, before ``settleCrossing()``.
    mutating func withLadder(_ side: BookSide, _ body: (inout BookLadder) -> Void) {
        switch side {
        case .ask: body(&asks)
        case .bid: body(&bids)
        }
    }

    /// Decides which levels are left out; once after each change, so that reading costs nothing.
    mutating func settleCrossing() {
        hiddenAsks = 0
        hiddenBids = 0
        // Keys of asks are negated prices: a sum that is not negative is a bid not below the ask.
        while let ask = asks.best(hidden: hiddenAsks), let bid = bids.best(hidden: hiddenBids),
            ask.key + bid.key >= 0
        {
            if ask.at <= bid.at { hiddenAsks += 1 } else { hiddenBids += 1 }
        }
    }

    /// One side as it is held.
    func ladder(_ side: BookSide) -> BookLadder { side == .ask ? asks : bids }

    private func hidden(_ side: BookSide) -> Int { side == .ask ? hiddenAsks : hiddenBids }
}

extension BookLevel {
    init(_ level: BookLadder.Level, _ side: BookSide) {
        self.init(
            price: side.price(of: level.key),
            quantity: FixedDecimal(units: level.quantity)
        )
    }
}
