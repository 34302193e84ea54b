import Domain

/// The visible levels of one side of a book, best first.
struct VisibleBookSide {
    let side: BookSide
    let levels: [BookLevel]
    /// The best price of the side, ungrouped.
    let best: FixedDecimal?
    /// The largest quantity of a level; zero without levels.
    let largest: FixedDecimal
    /// The price step of the groups; nil without grouping.
    private let group: FixedDecimal?

    /// Takes `depth` levels, or `depth` groups of all levels.
    init(_ book: OrderBook, _ side: BookSide, group: FixedDecimal?, depth: Int) {
        self.side = side
        self.group = group
        let all = group.map { OrderBookGrouping.group(book.levels(side), side, step: $0) }
        levels = all.map { Array($0.prefix(depth)) } ?? book.levels(side, limit: depth)
        best = book.best(side)?.price
        largest = levels.lazy.map(\.quantity).max() ?? .zero
    }

    /// The total quantity of the visible levels.
    var total: FixedDecimal {
        levels.reduce(.zero) { $0.addedSaturating($1.quantity) }
    }

    /// The visible level that contains a price; nil if none does.
    func level(holding price: FixedDecimal) -> FixedDecimal? {
        levels.first { level in
            guard let group else { return level.price == price }
            return OrderBookGrouping.areTogether(price, level.price, side, step: group)
        }?.price
    }
}

/// The level of the last trade: at most one.
struct LastTradeMark {
    private let ask: FixedDecimal?
    private let bid: FixedDecimal?

    init(_ price: FixedDecimal?, ask: VisibleBookSide, bid: VisibleBookSide) {
        guard let price else {
            (self.ask, self.bid) = (nil, nil)
            return
        }
        // Groups of both sides may contain the price: it counts as a bid up to the best bid.
        let isBid = bid.best.map { price <= $0 } ?? false
        self.ask = isBid ? nil : ask.level(holding: price)
        self.bid = self.ask == nil ? bid.level(holding: price) : nil
    }

    func isAt(_ price: FixedDecimal, _ side: BookSide) -> Bool {
        (side == .ask ? ask : bid) == price
    }
}
