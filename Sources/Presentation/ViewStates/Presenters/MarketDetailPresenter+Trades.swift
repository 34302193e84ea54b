public import Domain

extension MarketDetailPresenter {
    /// Presents the newest trades, the oldest after a given one, or the newest before it, and
    /// whether more follow.
    ///
    /// - Returns: no rows if the tape does not have the given trade.
    public func tradesPage(
        _ snapshot: BoardSnapshot,
        _ query: MarketDetailQuery
    ) -> TradesViewState {
        var page = trades(snapshot, query)
        let wanted = Self.wantedAges(snapshot.board.tape(of: query.market), query)
        page.hasMore = wanted.count > page.rows.count
        return page
    }

    /// Presents the same trades as they are part of a market's detail.
    public func trades(_ snapshot: BoardSnapshot, _ query: MarketDetailQuery) -> TradesViewState {
        let tape = snapshot.board.tape(of: query.market)
        let quote = query.market.quote
        return TradesViewState(
            health: DetailHealthPresenter(snapshot, query).trades(tape),
            rows: Self.ages(tape, query).map { Self.row(tape[$0], quote: quote) },
            dropped: tape.dropped,
            gaps: tape.gaps.map { gap in
                GapViewState(from: gap.lowerBound, to: gap.upperBound, reason: .missing)
            }
        )
    }

    /// The requested trades within the limit, as offsets from the newest.
    private static func ages(_ tape: TradeTape, _ query: MarketDetailQuery) -> Range<Int> {
        let limit = max(query.tradeLimit, 0)
        let wanted = wantedAges(tape, query)
        return switch query.trades {
        // The rows that follow the given one: a client that pages forward misses none.
        case .since: wanted.suffix(limit)
        case .newest, .before: wanted.prefix(limit)
        }
    }

    /// The requested trades, however many.
    private static func wantedAges(_ tape: TradeTape, _ query: MarketDetailQuery) -> Range<Int> {
        let wanted: Range<Int>? =
            switch query.trades {
            case .newest: 0..<tape.count
            case .since(let id): tape.age(of: id).map { 0..<$0 }
            case .before(let id): tape.age(of: id).map { $0 + 1..<tape.count }
            }
        return wanted ?? 0..<0
    }

    private static func row(_ trade: TapedTrade, quote: Quote) -> TradesViewState.Row {
        let amount = trade.price.amount(of: trade.quantity, quote: quote)
        return TradesViewState.Row(
            id: trade.id.text,
            at: trade.id.at,
            timeText: TimeText.clock(trade.id.at),
            price: trade.price,
            priceText: NumberText.price(trade.price, quote: quote),
            quantity: trade.quantity,
            quantityText: NumberText.quantity(trade.quantity),
            amount: amount,
            amountText: NumberText.tradeAmount(amount, quote: quote),
            side: trade.side == .buy ? .buy : .sell,
            tickDirection: trade.tick.map(DirectionViewState.init)
        )
    }
}
