import Domain

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
        case .zoomIn: zoom(&state, to: state.visibleBuckets * 4 / 5)
        case .zoomOut: zoom(&state, to: (state.visibleBuckets * 5 + 3) / 4)
        case .moveInTime(let buckets): moveInTime(&state, by: bounded(buckets, by: stepMax))
        case .pageInTime(let pages):
            let page = max(state.visibleBuckets - 1, 1)
            moveInTime(&state, by: bounded(pages, by: 100) * page)
        case .moveToNewest: moveToNewest(&state)
        case .toggleCrosshair: toggleCrosshair(&state)
        case .nextAverages: cycleAverages(&state.chart)
        case .toggleVolume: state.chart.showsVolume.toggle()
        case .growVolume(let rows): growVolume(&state, by: rows)
        case .toggleLine: toggleLine(&state.chart)
        case .toggleTicks:
            state.chart.showsTicks.toggle()
            // Ticks have no cross-hair, and one that is not seen could not be taken back.
            if state.chart.showsTicks { state.chart.crosshair = nil }
        case .togglePercent: state.chart.isPercent.toggle()
        case .shown(let facts): take(facts, &state)
        }
        return true
    }

    /// Longer steps than this are no different: no pane holds so much.
    static let stepMax = 100_000

    /// A step of at most `count` either way, so that no sum leaves the integers.
    static func bounded(_ step: Int, by count: Int) -> Int { min(max(step, -count), count) }

    private static func moveFocus(_ state: inout MarketDetailScreenState, by step: Int) {
        let panes = DetailPane.allCases
        let index = panes.firstIndex(of: state.focus) ?? 0
        state.focus = panes[(index + step + panes.count) % panes.count]
    }

    /// Takes back the last thing that was done to what the pane shows: the cross-hair, then the
    /// place it was moved to.
    ///
    /// - Returns: whether there was something to take back.
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

    /// Keeps every place within what the newest document holds.
    private static func take(_ facts: DetailFacts, _ state: inout MarketDetailScreenState) {
        state.facts = facts
        if state.book.groupIndex == 0, let group = facts.group { state.book.step = group }
        boundBook(&state)
        boundTrades(&state)
        boundDays(&state)
        boundChart(&state)
    }
}
