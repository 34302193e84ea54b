import Domain

extension MarketDetailReducer {
    // MARK: Book

    static func scrollBook(_ state: inout MarketDetailScreenState, by rows: Int) {
        state.book.offset += rows
        boundBook(&state)
    }

    /// Changed to as many levels as there is room for, which leaves nothing to scroll, the book
    /// follows the room again.
    static func changeDepth(_ state: inout MarketDetailScreenState, by levels: Int) {
        let depth = state.bookDepth + bounded(levels, by: MarketDetailQuery.depthMax)
        let wanted = min(max(depth, 1), MarketDetailQuery.depthMax)
        guard wanted == state.bookDepthOfRoom else {
            state.book.depth = wanted
            return
        }
        state.book.depth = nil
        state.book.offset = 0
    }

    static func changeGroup(_ state: inout MarketDetailScreenState, by step: Int) {
        guard state.book.step != nil else { return }
        let count = OrderBookGrouping.factors.count
        state.book.groupIndex = (state.book.groupIndex + step + count) % count
    }

    /// The far ends of the levels scroll to the edges of the pane and no farther; what has room
    /// for all of them does not scroll.
    static func boundBook(_ state: inout MarketDetailScreenState) {
        guard let facts = state.facts else {
            state.book.offset = 0
            return
        }
        // Unless a depth is set, scrolling asks for all levels, which the next document brings.
        let reachable =
            state.book.depth == nil ? min(facts.levelsKept, MarketDetailQuery.depthMax) : 0
        let above = state.bookRowsAboveSpread
        let below = state.room.bookRows - 1 - above
        let first = min(above - max(facts.asks, reachable), 0)
        let last = max(max(facts.bids, reachable) - below, 0)
        state.book.offset = min(max(state.book.offset, first), last)
    }

    // MARK: Trades and days

    static func scrollTrades(_ state: inout MarketDetailScreenState, by rows: Int) {
        guard let facts = state.facts else { return }
        let place = state.trades.top.map { top in facts.place(of: top) } ?? 0
        let last = max(facts.trades.count - state.room.tradeRows, 0)
        let target = min(max(place + rows, 0), last)
        guard target > 0 else {
            state.trades.top = nil
            state.trades.lastSeen = nil
            return
        }
        if state.trades.top == nil { state.trades.lastSeen = facts.trades.first }
        state.trades.top = facts.trades[target]
    }

    /// A trade that has left the tape leaves the oldest ones on the screen.
    static func boundTrades(_ state: inout MarketDetailScreenState) {
        if state.trades.top != nil { scrollTrades(&state, by: 0) }
    }

    /// Days that are not shown, or not read again yet, keep their place.
    static func boundDays(_ state: inout MarketDetailScreenState) {
        guard let facts = state.facts, facts.areDaysRead else { return }
        let last = max(facts.days - state.room.tradeRows, 0)
        state.trades.dayOffset = min(max(state.trades.dayOffset, 0), last)
    }
}

extension MarketDetailScreenState {
    /// The row of the book's pane, from 0, on which the spread is while nothing is scrolled.
    public var bookRowsAboveSpread: Int { (room.bookRows - 1) / 2 }

    /// How many levels a side are asked for: as set, else as many as there is room for, else all
    /// as soon as somebody scrolls.
    public var bookDepth: Int {
        if let depth = book.depth { return depth }
        if book.offset != 0 { return MarketDetailQuery.depthMax }
        return bookDepthOfRoom
    }

    /// How many levels a side there is room for.
    fileprivate var bookDepthOfRoom: Int {
        min(max(bookRowsAboveSpread, 1), MarketDetailQuery.depthMax)
    }

    /// The place in a list of trades, newest first, of the uppermost one.
    public func firstTrade(of trades: [TradesViewState.Row]) -> Int {
        guard let top = self.trades.top else { return 0 }
        return trades.firstIndex { TradeID(text: $0.id).map { $0 <= top } ?? false } ?? 0
    }

    /// How many of the trades came since the user left the newest; 0 while nothing is scrolled.
    public func newTrades(of trades: [TradesViewState.Row]) -> Int {
        guard let lastSeen = self.trades.lastSeen else { return 0 }
        return trades.firstIndex { TradeID(text: $0.id).map { $0 <= lastSeen } ?? false }
            ?? trades.count
    }
}

extension DetailFacts {
    /// The place of a trade, or of the next older one that is still there; the last one's if none
    /// is.
    fileprivate func place(of trade: TradeID) -> Int {
        trades.firstIndex { $0 <= trade } ?? max(trades.count - 1, 0)
    }
}
