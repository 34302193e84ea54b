public import Domain

extension MarketDetailPresenter {
    /// Presents the order book, grouped and cut to the query's depth.
    public func orderBook(
        _ snapshot: BoardSnapshot,
        _ query: MarketDetailQuery
    ) -> OrderBookViewState {
        let board = snapshot.board
        let followed = board.details[query.market]?.book ?? LocalOrderBook()
        let book = followed.book
        let market = board.market(query.market)
        let depth = min(max(query.depth, 0), MarketDetailQuery.depthMax)
        let group = query.group ?? board.priceSteps(of: query.market).first
        let side = { (side: BookSide) in
            VisibleBookSide(book, side, group: query.group, depth: depth)
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
            health: DetailHealthPresenter(snapshot, query).orderBook(followed),
            depth: depth,
            group: group,
            levelsKept: max(book.count(.ask), book.count(.bid)),
            crossed: book.isCrossed,
            heals: followed.corrections,
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

    /// The midpoint of two prices.
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
