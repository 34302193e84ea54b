/// The levels of one market's order book: a pure value.
///
/// Prices compare as numbers, quantities are absolute, and quantity zero deletes a level. The last
/// call wins; ``LocalOrderBook`` decides what is too late to apply. Each level keeps the exchange
/// time of its last change.
///
/// When sides cross, the newest level wins: of the two best levels the older one is hidden, the ask
/// if both have the same time (frames list asks before bids), until nothing crosses. Hidden levels
/// are kept until a change or a snapshot settles them.
public struct OrderBook: Sendable, Hashable {
    /// Maximum number of levels per side.
    ///
    /// The farthest level is evicted on overflow; a new level farther than all others is not
    /// stored.
    public static let levelsMax = 200

    private var asks = BookLadder()
    private var bids = BookLadder()
    /// Number of best asks hidden because newer bids cross them.
    private var hiddenAsks = 0
    /// Number of best bids hidden because newer asks cross them.
    private var hiddenBids = 0

    /// An empty book.
    public init() {}

    /// Levels of a side, best first, without hidden ones.
    public func levels(_ side: BookSide, limit: Int = levelsMax) -> [BookLevel] {
        let shown = ladder(side).levels.dropLast(hidden(side)).suffix(max(limit, 0))
        return shown.reversed().map { BookLevel($0, side) }
    }

    /// The best visible level of a side; nil if there is none.
    public func best(_ side: BookSide) -> BookLevel? {
        ladder(side).best(hidden: hidden(side)).map { BookLevel($0, side) }
    }

    /// Number of levels on a side, including hidden ones.
    public func count(_ side: BookSide) -> Int { ladder(side).count }

    /// Whether a bid is as high as an ask.
    ///
    /// The older levels are hidden then.
    public var isCrossed: Bool { hiddenAsks + hiddenBids > 0 }

    /// Applies changes whatever their time.
    ///
    /// A quantity that is not above zero deletes its level; deleting a missing level has no effect.
    public mutating func apply(_ delta: OrderBookDelta) {
        apply(delta.changes, at: delta.at.microseconds)
    }

    /// Applies changes of one exchange time, in microseconds.
    mutating func apply(_ changes: [OrderBookDelta.Change], at: Int64) {
        for change in changes {
            switch change.side {
            case .ask: asks.set(0 &- change.price.units, change.quantity.units, at: at)
            case .bid: bids.set(change.price.units, change.quantity.units, at: at)
            }
        }
        settleCrossing()
    }

    /// Changes both sides and settles crossing.
    mutating func withLadders(_ body: (inout BookLadder, BookSide) -> Void) {
        body(&asks, .ask)
        body(&bids, .bid)
        settleCrossing()
    }

    /// Changes one side.
    ///
    /// The caller settles crossing.
    mutating func withLadder(_ side: BookSide, _ body: (inout BookLadder) -> Void) {
        switch side {
        case .ask: body(&asks)
        case .bid: body(&bids)
        }
    }

    /// Decides which levels are hidden, once per change, so that reading is cheap.
    mutating func settleCrossing() {
        hiddenAsks = 0
        hiddenBids = 0
        // Ask keys are negated prices: a sum of zero or more means that the bid reaches the ask.
        while let ask = asks.best(hidden: hiddenAsks), let bid = bids.best(hidden: hiddenBids),
            ask.key + bid.key >= 0
        {
            if ask.at <= bid.at { hiddenAsks += 1 } else { hiddenBids += 1 }
        }
    }

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

extension OrderBook {
    /// Number of levels per side that ``finestStep(quote:)`` examines, from the best.
    private static let stepLevelsMax = 30

    /// The price step that the book shows: the step of ``TickTable`` at the best prices, or the
    /// coarsest finer step on which all prices lie, of the form 1, 2 or 5 times a power of ten.
    ///
    /// Only levels in a band at least as coarse as that of the best prices count. A bid far below
    /// lies in a band with finer steps and says nothing about the steps here.
    ///
    /// - Returns: nil while the book is empty.
    public func finestStep(quote: Quote) -> FixedDecimal? {
        let best = BookSide.allCases.compactMap { self.best($0)?.price }
        guard let lowest = best.min() else { return nil }
        let tick = TickTable.step(for: lowest, quote: quote)
        var divisor = tick.units
        for side in BookSide.allCases {
            for level in levels(side, limit: Self.stepLevelsMax)
            where TickTable.step(for: level.price, quote: quote) >= tick {
                divisor = Self.greatestCommonDivisor(divisor, level.price.units)
            }
        }
        return FixedDecimal(units: Self.roundStep(dividing: divisor))
    }

    /// The largest number of the form 1, 2 or 5 times a power of ten that divides `number`;
    /// `number` is above zero.
    private static func roundStep(dividing number: Int128) -> Int128 {
        var (rest, power) = (number, Int128(1))
        while rest % 10 == 0 {
            rest /= 10
            power *= 10
        }
        if rest % 5 == 0 { return 5 * power }
        return rest % 2 == 0 ? 2 * power : power
    }

    private static func greatestCommonDivisor(_ left: Int128, _ right: Int128) -> Int128 {
        var (left, right) = (left, right)
        // Most prices are multiples of the step, so this is one division.
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }
}
