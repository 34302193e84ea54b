import Domain

/// Moves the list screen from one state to the next: a pure function of state and action.
public enum MarketListReducer: Sendable {
    /// The longest search text, in characters; more is not taken.
    public static let searchLengthMax = SearchInput.lengthMax
    /// And in Unicode scalars.
    public static let searchScalarsMax = SearchInput.scalarsMax
    /// More rows than this no screen shows; it is what one document holds.
    public static let visibleRowsMax = MarketListQuery.limitMax
    /// How long an order stands at least, and how long a moved mark freezes it.
    public static let orderInterval = MarketListProducer.orderInterval

    /// Applies an action.
    ///
    /// - Returns: what is to be done outside, in order.
    public static func reduce(
        _ state: inout MarketListScreenState,
        _ action: MarketListAction
    ) -> [MarketListEffect] {
        defer { fit(&state) }
        switch action {
        case .nextTab: return changeTab(&state, by: 1)
        case .previousTab: return changeTab(&state, by: -1)
        case .chooseTab(let tab): return tab == state.tab ? [] : open(tab, &state)
        case .chooseSort(let sort): return choose(sort, &state)
        case .nextSort: return changeSort(&state)
        case .reverseSort:
            return reverseSort(&state)
        case .openPeriods:
            state.overlay = .periods(state.period)
            return []
        case .choosePeriod(let period):
            state.overlay = nil
            return choose(period, &state)
        case .beginSearch:
            state.overlay = nil
            state.isSearching = true
            return []
        case .typeSearch(let text): return type(text, &state)
        case .deleteSearch(let part):
            guard let rest = SearchInput.shortened(state.searchText, by: part) else { return [] }
            state.searchText = rest
            return [.reorder]
        case .move, .movePage, .moveToFirst, .moveToLast: return move(&state, action)
        case .select(let market):
            select(market, &state)
            return []
        case .scroll(let rows):
            scroll(&state, by: rows)
            return []
        case .confirm: return confirm(&state)
        case .dismiss: return dismiss(&state)
        case .reload: return [.reload, .reorder]
        case .toggleHelp:
            state.overlay = state.overlay == .help ? nil : .help
            state.help = TextScroll(overlap: 2)
            return []
        case .togglePopularityRule:
            state.overlay = state.overlay == .popularityRule ? nil : .popularityRule
            return []
        case .resize(let visibleRows):
            state.visibleRows = min(max(visibleRows, 1), visibleRowsMax)
            state.roomRows = state.visibleRows
            showSelected(&state)
            return []
        case .refresh(let now):
            state.lastRefreshAt = now
            return isOrderDue(state, now) ? [.reorder] : []
        case .ordered(let order, let now):
            take(order, now, &state)
            return []
        case .found(let isRead):
            state.isRead = isRead
            return []
        case .quit: return [.quit]
        }
    }

    private static func changeTab(
        _ state: inout MarketListScreenState,
        by step: Int
    ) -> [MarketListEffect] {
        let tabs = MarketListTab.allCases
        let index = tabs.firstIndex(of: state.tab) ?? 0
        return open(tabs[(index + step + tabs.count) % tabs.count], &state)
    }

    private static func open(
        _ tab: MarketListTab,
        _ state: inout MarketListScreenState
    ) -> [MarketListEffect] {
        state.overlay = nil
        state.tab = tab
        state.isRead = false
        // Another list begins at its top; the search stays in force.
        state.selected = nil
        state.firstVisible = 0
        return [.reorder]
    }

    private static func choose(
        _ period: ChangePeriod,
        _ state: inout MarketListScreenState
    ) -> [MarketListEffect] {
        guard state.period != period else { return [] }
        state.period = period
        return state.sortInForce == .changeRate ? [.reorder] : []
    }

    private static func type(
        _ text: String,
        _ state: inout MarketListScreenState
    ) -> [MarketListEffect] {
        guard let searchText = SearchInput.appended(text, to: state.searchText) else { return [] }
        state.searchText = searchText
        // What is looked for is the best hit, so the mark goes there.
        state.selected = nil
        state.firstVisible = 0
        return [.reorder]
    }

    private static func confirm(_ state: inout MarketListScreenState) -> [MarketListEffect] {
        if case .periods(let period) = state.overlay {
            state.overlay = nil
            return choose(period, &state)
        }
        state.overlay = nil
        state.isSearching = false
        return []
    }

    private static func dismiss(_ state: inout MarketListScreenState) -> [MarketListEffect] {
        if state.overlay != nil {
            state.overlay = nil
            return []
        }
        if state.isSearching {
            state.isSearching = false
            return []
        }
        guard !state.searchText.isEmpty else { return [] }
        state.searchText = ""
        return [.reorder]
    }

    /// Due two seconds after the last cut of the order, but not while the mark is on the move.
    private static func isOrderDue(_ state: MarketListScreenState, _ now: Timestamp) -> Bool {
        guard let orderedAt = state.orderedAt, !state.order.isEmpty else { return true }
        if let movedAt = state.movedAt, !now.isAtLeast(orderInterval, after: movedAt) {
            return false
        }
        return now.isAtLeast(orderInterval, after: orderedAt)
    }

    private static func take(
        _ order: [MarketID],
        _ now: Timestamp,
        _ state: inout MarketListScreenState
    ) {
        let place = state.selected.flatMap { state.order.firstIndex(of: $0) }
        let offset = place.map { $0 - state.firstVisible }
        state.order = order
        state.orderedAt = now
        guard let selected = state.selected, let index = order.firstIndex(of: selected) else {
            // The marked market is gone from the list: the mark falls to its old place.
            state.selected = order.isEmpty ? nil : order[min(place ?? 0, order.count - 1)]
            showSelected(&state)
            return
        }
        // The mark stays on its screen line unless it stands at the very top of the list.
        if let offset, state.firstVisible > 0 { state.firstVisible = index - offset }
        showSelected(&state)
    }
}
