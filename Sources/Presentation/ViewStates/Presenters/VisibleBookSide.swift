import Domain

/// The levels of one side of a book that are shown, best first.
struct VisibleBookSide {
    let side: BookSide
    let levels: [BookLevel]
    /// The best price of the side, ungrouped.
    let best: FixedDecimal?
    /// The largest quantity of a level; zero without levels.
    let largest: FixedDecimal
    /// The price step that levels are put together by; nil where none are.
    private let group: FixedDecimal?

    /// Takes so many levels, or so many groups of all the levels.
    init(_ book: OrderBook, _ side: BookSide, group: FixedDecimal?, depth: Int) {
        self.side = side
        self.group = group
        let all = group.map { OrderBookGrouping.group(book.levels(side), side, step: $0) }
        levels = all.map { Array($0.prefix(depth)) } ?? book.levels(side, limit: depth)
        best = book.best(side)?.price
        largest = levels.lazy.map(\.quantity).max() ?? .zero
    }

    /// All that rests at the shown levels.
    var total: FixedDecimal {
        levels.reduce(.zero) { $0.addedSaturating($1.quantity) }
    }

    /// The price of the level that stands for a price; nil if none is shown.
    func level(holding price: FixedDecimal) -> FixedDecimal? {
        levels.first { level in
            guard let group else { return level.price == price }
            return OrderBookGrouping.areTogether(price, level.price, side, step: group)
        }?.price
    }
}

/// Which level the last trade is marked at: at most one.
struct LastTradeMark {
    private let ask: FixedDecimal?
    private let bid: FixedDecimal?

    init(_ price: FixedDecimal?, ask: VisibleBookSide, bid: VisibleBookSide) {
        guard let price else {
            (self.ask, self.bid) = (nil, nil)
            return
        }
        // Groups of both sides may hold one price: it is the bids' where they reach up to it.
        let isBid = bid.best.map { price <= $0 } ?? false
        self.ask = isBid ? nil : ask.level(holding: price)
        self.bid = self.ask == nil ? bid.level(holding: price) : nil
    }

    func isAt(_ price: FixedDecimal, _ side: BookSide) -> Bool {
        (side == .ask ? ask : bid) == price
    }
}
