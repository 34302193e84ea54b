/// The first levels of both sides of a book as API 2.x pairs them.
///
/// The shorter side is padded with levels of price and size zero.
struct OrderBookUnits: Sendable {
    private let asks: ArraySlice<SimulatedLevel>
    private let bids: ArraySlice<SimulatedLevel>
    /// The sizes of the whole sides.
    let askSize: Int64
    let bidSize: Int64

    private static let padding = SimulatedLevel(price: 0, quantity: 0, orders: 0)

    init(of book: SimulatedBook, count: Int) {
        self.init(asks: book.asks.levels, bids: book.bids.levels, count: count)
    }

    /// The levels of a view of a stream frame.
    init(of book: SimulatedBook, _ view: BookView, _ market: SimulatedMarket) {
        guard view.level > 1 else {
            self.init(of: book, count: view.units)
            return
        }
        let step = market.ladder.step(at: market.price) * Int64(view.level)
        self.init(
            // Asks are rounded up, bids down, so that the sides never meet.
            asks: Self.grouped(book.asks.levels) { ($0 + step - 1) / step * step },
            bids: Self.grouped(book.bids.levels) { $0 / step * step },
            count: view.units
        )
    }

    private static func grouped(
        _ levels: [SimulatedLevel],
        by price: (Int64) -> Int64
    ) -> [SimulatedLevel] {
        var groups: [SimulatedLevel] = []
        for level in levels {
            let price = price(level.price)
            if let last = groups.indices.last, groups[last].price == price {
                groups[last].quantity += level.quantity
            } else {
                groups.append(
                    SimulatedLevel(price: price, quantity: level.quantity, orders: level.orders)
                )
            }
        }
        return groups
    }

    init(asks: [SimulatedLevel], bids: [SimulatedLevel], count: Int) {
        self.asks = asks.prefix(count)
        self.bids = bids.prefix(count)
        askSize = asks.reduce(0) { $0 + $1.quantity }
        bidSize = bids.reduce(0) { $0 + $1.quantity }
    }

    /// The number of units.
    var count: Int { max(asks.count, bids.count) }

    subscript(index: Int) -> (ask: SimulatedLevel, bid: SimulatedLevel) {
        (
            index < asks.count ? asks[index] : Self.padding,
            index < bids.count ? bids[index] : Self.padding
        )
    }
}
