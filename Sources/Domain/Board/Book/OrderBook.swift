/// The levels of one market's order book: a pure value.
///
/// Prices are compared as numbers, quantities are absolute, and a level of quantity zero is none.
public struct OrderBook: Sendable, Hashable {
    /// How many levels a side are kept at the most; beyond, the farthest from the touch go.
    public static let levelsMax = 200

    private var asks: [BookLevel] = []
    private var bids: [BookLevel] = []

    /// An empty book.
    public init() {}

    /// The levels of a side, best first, without older levels that a newer one crosses.
    public func levels(_ side: BookSide, limit: Int = levelsMax) -> [BookLevel] {
        Array((side == .ask ? asks : bids).prefix(limit))
    }

    /// The best level of a side; nil if the side is empty.
    public func best(_ side: BookSide) -> BookLevel? { levels(side, limit: 1).first }

    /// How many levels a side has.
    public func count(_ side: BookSide) -> Int { (side == .ask ? asks : bids).count }

    /// Whether a bid is as high as an ask: the older ones of them are left out of ``levels(_:limit:)``.
    public var isCrossed: Bool { false }

    /// Takes changes.
    public mutating func apply(_ delta: OrderBookDelta) {
        for change in delta.changes {
            var levels = change.side == .ask ? asks : bids
            levels.removeAll { $0.price == change.price }
            if !change.quantity.isZero {
                levels.append(BookLevel(price: change.price, quantity: change.quantity))
                levels.sort { change.side == .ask ? $0.price < $1.price : $0.price > $1.price }
            }
            if change.side == .ask { asks = levels } else { bids = levels }
        }
    }
}
