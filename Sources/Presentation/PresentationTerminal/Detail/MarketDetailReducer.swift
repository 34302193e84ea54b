import Domain
public import ViewStates

/// Moves the detail of a market from one state to the next.
enum MarketDetailReducer {
    /// Applies an action.
    ///
    /// - Returns: false if the detail is left.
    static func reduce(
        _ state: inout MarketDetailScreenState,
        _ action: MarketDetailAction
    ) -> Bool {
        switch action {
        case .focus(let pane):
            if state.focus == pane { _ = rewind(&state) }
            state.focus = pane
        case .focusNext: moveFocus(&state, by: 1)
        case .focusPrevious: moveFocus(&state, by: -1)
        case .toggleMaximized: state.isMaximized.toggle()
        case .nextLayout: showNextLayout(&state)
        case .dismiss: return rewind(&state)
        case .scroll(let rows): scroll(&state, by: rows)
        case .scrollPage(let pages):
            let rows = state.focus == .book ? state.room.bookRows : state.room.tradeRows
            scroll(&state, by: bounded(pages, by: 1_000) * max(rows - 1, 1))
        case .scrollToFirst: scroll(&state, by: -stepMax)
        case .scrollToLast: scroll(&state, by: stepMax)
        case .changeDepth(let levels): changeDepth(&state, by: levels)
        case .nextGroup: changeGroup(&state, by: 1)
        case .previousGroup: changeGroup(&state, by: -1)
        case .recenter: state.book.offset = 0
        case .toggleDays: state.trades.showsDays.toggle()
        case .longerInterval: changeInterval(&state, by: 1)
        case .shorterInterval: changeInterval(&state, by: -1)
        case .zoomIn: zoom(&state, to: state.bucketsZoomedIn)
        case .zoomOut: zoom(&state, to: state.bucketsZoomedOut)
        case .zoomInAt(let later): zoom(&state, to: state.bucketsZoomedIn, about: later)
        case .zoomOutAt(let later): zoom(&state, to: state.bucketsZoomedOut, about: later)
        case .grab(let later): grab(&state, later: bounded(later, by: stepMax))
        case .drag(let later): drag(&state, later: bounded(later, by: stepMax))
        case .release: state.chart.grab = nil
        case .moveInTime(let buckets): moveInTime(&state, by: bounded(buckets, by: stepMax))
        case .pageInTime(let pages):
            let page = max(state.visibleBuckets - 1, 1)
            moveInTime(&state, by: bounded(pages, by: 100) * page)
        case .moveToNewest: moveToNewest(&state)
        case .toggleCrosshair: toggleCrosshair(&state)
        case .toggleIndicator(let row): toggle(row, &state.chart)
        // The screen opens menus and forms.
        case .chooseIndicators, .saveChart: break
        case .toggleComparison: state.chart.comparison = nil
        case .compare(let market):
            state.chart.comparison = market
            state.chart.showsTicks = false
        case .toggleVolume: state.chart.showsVolume.toggle()
        case .growVolume(let rows): growVolume(&state, by: rows)
        case .toggleLine: toggleLine(&state.chart)
        case .toggleTicks:
            state.chart.showsTicks.toggle()
            // Ticks have no cross-hair, and the user could not remove an invisible one.
            if state.chart.showsTicks { state.chart.crosshair = nil }
        case .togglePercent: state.chart.isPercent.toggle()
        case .shown(let facts): apply(facts, &state)
        }
        return true
    }

    /// No pane holds more rows than this.
    static let stepMax = 100_000

    /// Clamps a step to ±`count`, so that sums cannot overflow.
    static func bounded(_ step: Int, by count: Int) -> Int { min(max(step, -count), count) }

    private static func moveFocus(_ state: inout MarketDetailScreenState, by step: Int) {
        let panes = DetailPane.allCases
        let index = panes.firstIndex(of: state.focus) ?? 0
        state.focus = panes[(index + step + panes.count) % panes.count]
    }

    private static func showNextLayout(_ state: inout MarketDetailScreenState) {
        let layouts = UserSettings.MarketLayout.allCases
        let index = layouts.firstIndex(of: state.layout) ?? 0
        state.show(layouts[(index + 1) % layouts.count])
    }

    /// Undoes the last movement in the focused pane: first the cross-hair, then the scroll
    /// position.
    ///
    /// - Returns: whether there was anything to undo.
    static func rewind(_ state: inout MarketDetailScreenState) -> Bool {
        switch state.focus {
        case .book where state.book.offset != 0: state.book.offset = 0
        case .trades where state.trades.showsDays && state.trades.dayOffset != 0:
            state.trades.dayOffset = 0
        case .trades where !state.trades.showsDays && state.trades.top != nil:
            state.trades.top = nil
            state.trades.lastSeen = nil
        case .chart where state.chart.crosshair != nil: state.chart.crosshair = nil
        case .chart where state.chart.lastBucket != nil: state.chart.lastBucket = nil
        case .book, .chart, .trades: return false
        }
        return true
    }

    private static func scroll(_ state: inout MarketDetailScreenState, by rows: Int) {
        let rows = bounded(rows, by: stepMax)
        switch state.focus {
        case .book: scrollBook(&state, by: rows)
        case .trades where state.trades.showsDays:
            state.trades.dayOffset += rows
            boundDays(&state)
        case .trades: scrollTrades(&state, by: rows)
        case .chart: return
        }
    }

    /// Clamps all positions to the newest document.
    private static func apply(_ facts: DetailExtent, _ state: inout MarketDetailScreenState) {
        state.facts = facts
        if state.book.groupIndex == 0, let group = facts.group { state.book.step = group }
        boundBook(&state)
        boundTrades(&state)
        boundDays(&state)
        boundChart(&state)
    }
}

extension MarketDetailReducer {
    // MARK: Book

    static func scrollBook(_ state: inout MarketDetailScreenState, by rows: Int) {
        state.book.offset += rows
        boundBook(&state)
    }

    /// If the new depth is what fits on the screen, the book follows the screen size again.
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

    /// Limits scrolling to the far ends of the levels; levels that all fit do not scroll.
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

    /// Hidden or unloaded days keep their position.
    static func boundDays(_ state: inout MarketDetailScreenState) {
        guard let facts = state.facts, facts.areDaysRead else { return }
        let last = max(facts.days - state.room.tradeRows, 0)
        state.trades.dayOffset = min(max(state.trades.dayOffset, 0), last)
    }
}

extension MarketDetailScreenState {
    /// The row of the spread, from 0, while the book is not scrolled.
    public var bookRowsAboveSpread: Int { (room.bookRows - 1) / 2 }

    /// The requested levels per side: the user's setting, else as many as fit, else all while
    /// scrolled.
    public var bookDepth: Int {
        if let depth = book.depth { return depth }
        if book.offset != 0 { return MarketDetailQuery.depthMax }
        return bookDepthOfRoom
    }

    /// The number of levels per side that fit.
    fileprivate var bookDepthOfRoom: Int {
        min(max(bookRowsAboveSpread, 1), MarketDetailQuery.depthMax)
    }

    /// The index of the top visible trade in a list of trades, newest first.
    public func firstTrade(of trades: [TradesViewState.Row]) -> Int {
        guard let top = self.trades.top else { return 0 }
        return trades.firstIndex { TradeID(text: $0.id).map { $0 <= top } ?? false } ?? 0
    }

    /// The number of trades since the user scrolled away; 0 while not scrolled.
    public func newTrades(of trades: [TradesViewState.Row]) -> Int {
        guard let lastSeen = self.trades.lastSeen else { return 0 }
        return trades.firstIndex { TradeID(text: $0.id).map { $0 <= lastSeen } ?? false }
            ?? trades.count
    }
}

extension DetailExtent {
    /// The index of a trade, else of the next older one, else of the last.
    fileprivate func place(of trade: TradeID) -> Int {
        trades.firstIndex { $0 <= trade } ?? max(trades.count - 1, 0)
    }
}
