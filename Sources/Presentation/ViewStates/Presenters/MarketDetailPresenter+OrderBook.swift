public import Domain

extension MarketDetailPresenter {
    /// Presents the order book, grouped and cut to the query's depth.
    public func orderBook(_ cut: BoardCut, _ query: MarketDetailQuery) -> OrderBookViewState {
        let board = cut.board
        let followed = board.details[query.market]?.book ?? FollowedBook()
        let book = followed.book
        let market = board.market(query.market)
        let depth = min(max(query.depth, 0), MarketDetailQuery.depthMax)
        let group = query.group ?? board.priceStep(of: query.market)
        let side = { (side: BookSide) in
            ShownSide(book, side, group: query.group, depth: depth)
        }
        let shown = (ask: side(.ask), bid: side(.bid))
        let levels = LevelPresenter(
            quote: query.market.quote,
            previousClose: market?.previousClose(on: board.day),
            largest: max(shown.ask.largest, shown.bid.largest),
            lastTrade: LastTradeMark(market?.price, ask: shown.ask, bid: shown.bid)
        )
        let best = (ask: book.best(.ask), bid: book.best(.bid))
        let spread = try? best.ask.flatMap { ask in try best.bid.map { try ask.price - $0.price } }
        let decimals = best.ask.map {
            NumberText.priceDecimals($0.price, quote: query.market.quote)
        }
        return OrderBookViewState(
            health: DetailHealthPresenter(cut, query).orderBook(followed),
            depth: depth,
            group: group,
            levelsKept: max(book.count(.ask), book.count(.bid)),
            crossed: book.isCrossed,
            heals: followed.heals,
            asks: levels.present(shown.ask),
            bids: levels.present(shown.bid),
            best: .init(ask: best.ask.map(Self.quote), bid: best.bid.map(Self.quote)),
            spread: spread,
            spreadText: spread.map {
                NumberText.grouped($0, fractionDigitsMin: decimals ?? 0)
            },
            mid: Self.mid(best.ask?.price, best.bid?.price),
            totals: Self.totals(shown.ask.total, shown.bid.total)
        )
    }

    private static func quote(_ level: BookLevel) -> OrderBookViewState.Best.Quote {
        .init(price: level.price, quantity: level.quantity)
    }

    /// Halfway between two prices.
    private static func mid(_ ask: FixedDecimal?, _ bid: FixedDecimal?) -> FixedDecimal? {
        guard let ask, let bid, let spread = try? ask - bid else { return nil }
        return try? bid + FixedDecimal(units: spread.units / 2)
    }

    private static func totals(
        _ ask: FixedDecimal,
        _ bid: FixedDecimal
    ) -> OrderBookViewState.Totals {
        .init(
            askQuantity: ask,
            bidQuantity: bid,
            bidSharePercent: FixedDecimal.percentage(of: bid, in: ask.addedSaturating(bid))
        )
    }
}

/// The levels of one side that are shown, best first.
struct ShownSide {
    let side: BookSide
    let levels: [BookLevel]
    /// The best price of the side, ungrouped.
    let best: FixedDecimal?
    /// The largest quantity of a level; zero without levels.
    let largest: FixedDecimal
    /// The price step if levels were put together, else nil.
    let group: FixedDecimal?

    init(_ book: OrderBook, _ side: BookSide, group: FixedDecimal?, depth: Int) {
        self.side = side
        self.group = group
        levels = book.levels(side, limit: depth)
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
            // Asks are rounded up to the edge of their group, bids down.
            let distance = side == .ask ? try? level.price - price : try? price - level.price
            guard let distance else { return false }
            return distance.sign >= 0 && distance < group
        }?.price
    }
}

/// Which level the last trade is marked at: at most one.
struct LastTradeMark {
    private let ask: FixedDecimal?
    private let bid: FixedDecimal?

    init(_ price: FixedDecimal?, ask: ShownSide, bid: ShownSide) {
        guard let price else {
            (self.ask, self.bid) = (nil, nil)
            return
        }
        // A group may reach over the spread: what a side holds itself counts first.
        let isBid = bid.best.map { price <= $0 } ?? false
        self.ask = isBid ? nil : ask.level(holding: price)
        self.bid = self.ask == nil ? bid.level(holding: price) : nil
    }

    func isAt(_ price: FixedDecimal, _ side: BookSide) -> Bool {
        (side == .ask ? ask : bid) == price
    }
}

/// Turns the levels of one side into what is shown of them.
struct LevelPresenter {
    let quote: Quote
    let previousClose: FixedDecimal?
    /// The largest quantity of both sides.
    let largest: FixedDecimal
    let lastTrade: LastTradeMark

    func present(_ side: ShownSide) -> [OrderBookViewState.Level] {
        var cumulative = FixedDecimal.zero
        return side.levels.map { level in
            cumulative = cumulative.addedSaturating(level.quantity)
            let rate = previousClose.flatMap { level.price.changePercent(from: $0) }
            return OrderBookViewState.Level(
                price: level.price,
                priceText: NumberText.price(level.price, quote: quote),
                quantity: level.quantity,
                quantityText: NumberText.quantity(level.quantity),
                cumulative: cumulative,
                changeRatePercent: rate,
                priceDirection: rate.map { DirectionViewState(PriceDirection(signOf: $0)) },
                ratioBoth: FixedDecimal.share(of: level.quantity, in: largest) ?? .zero,
                ratioSide: FixedDecimal.share(of: level.quantity, in: side.largest) ?? .zero,
                isLastTrade: lastTrade.isAt(level.price, side.side)
            )
        }
    }
}

extension MarketBoard {
    /// The price steps by which the market's book can be grouped, its own first; none while no
    /// price of it is known.
    public func priceSteps(of market: MarketID) -> [FixedDecimal] {
        guard let step = priceStep(of: market) else { return [] }
        return [1, 2, 5, 10, 50, 100].compactMap {
            try? step.multiplied(by: FixedDecimal($0), rounding: .truncate)
        }
    }

    /// The market's own price step; nil while no price of it is known.
    func priceStep(of market: MarketID) -> FixedDecimal? {
        let book = details[market]?.book.book
        let price = self.market(market)?.price ?? book?.best(.bid)?.price ?? book?.best(.ask)?.price
        return price.map { TickTable.step(for: $0, quote: market.quote) }
    }
}
