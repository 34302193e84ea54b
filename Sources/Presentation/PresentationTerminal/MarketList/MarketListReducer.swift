import Domain
import ViewStates

/// Moves the list screen from one state to the next: a pure function of state and action.
public enum MarketListReducer: Sendable {
    /// The maximum length of a search text in characters.
    public static let searchLengthMax = TextFieldInput.lengthMax
    /// And in Unicode scalars.
    public static let searchScalarsMax = TextFieldInput.scalarsMax
    /// More rows than this no screen shows; it is what one document holds.
    public static let visibleRowsMax = MarketListQuery.limitMax
    /// The minimum time between reorders, and how long a moved selection freezes the order.
    public static let orderInterval = MarketListProducer.orderInterval

    /// Applies an action.
    ///
    /// - Returns: the effects, in order.
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
            guard let rest = TextFieldInput.shortened(state.searchText, by: part) else { return [] }
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
        case .resize(let visibleRows, let isCompact):
            state.isCompact = isCompact
            state.visibleRows = min(max(visibleRows, 1), visibleRowsMax)
            state.roomRows = state.visibleRows
            showSelected(&state)
            return []
        case .refresh(let now):
            state.lastRefreshAt = now
            return isOrderDue(state, now) ? [.reorder] : []
        case .ordered(let order, let now):
            apply(order, now, &state)
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
        // A new list starts at its top; the search stays.
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
        state.selected = state.order.first
        state.firstVisible = 0
        return state.sortInForce == .changeRate ? reordered(&state) : []
    }

    private static func type(
        _ text: String,
        _ state: inout MarketListScreenState
    ) -> [MarketListEffect] {
        guard let searchText = TextFieldInput.appended(text, to: state.searchText) else {
            return []
        }
        state.searchText = searchText
        // The first row is the best match.
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
        if !state.searchText.isEmpty {
            state.searchText = ""
        } else if state.onlyMarkets != nil {
            state.onlyMarkets = nil
        } else {
            return []
        }
        return [.reorder]
    }

    /// Due two seconds after the last reorder, unless the selection was just moved.
    private static func isOrderDue(_ state: MarketListScreenState, _ now: Timestamp) -> Bool {
        guard let orderedAt = state.orderedAt, !state.order.isEmpty else { return true }
        if let movedAt = state.movedAt, !now.isAtLeast(orderInterval, after: movedAt) {
            return false
        }
        return now.isAtLeast(orderInterval, after: orderedAt)
    }

    private static func apply(
        _ order: [MarketID],
        _ now: Timestamp,
        _ state: inout MarketListScreenState
    ) {
        let place = state.selected.flatMap { state.order.firstIndex(of: $0) }
        // In the first row the cursor shows the top of the list. In the user's own order it is on a
        // market that the user may just have moved, and a panel may be about its market.
        if place == 0, state.sortInForce != nil, state.overlay == nil { state.selected = nil }
        let offset = place.map { $0 - state.firstVisible }
        state.order = order
        state.orderedAt = now
        guard let selected = state.selected, let index = order.firstIndex(of: selected) else {
            // Without a market, or with one that has left the list: select the row in its place.
            state.selected = order.isEmpty ? nil : order[min(place ?? 0, order.count - 1)]
            showSelected(&state)
            return
        }
        // The selection keeps its screen line unless the list is at its top.
        if let offset, state.firstVisible > 0 { state.firstVisible = index - offset }
        showSelected(&state)
    }
}

extension MarketListReducer {
    /// Moves the selection of the list or of the period menu.
    static func move(
        _ state: inout MarketListScreenState,
        _ action: MarketListAction
    ) -> [MarketListEffect] {
        if case .periods(let period) = state.overlay {
            state.overlay = .periods(moved(period, action))
            return []
        }
        guard !state.order.isEmpty else { return [] }
        let last = state.order.count - 1
        let index = state.selected.flatMap { state.order.firstIndex(of: $0) } ?? 0
        let target: Int =
            switch action {
            case .move(let rows): index + clamped(rows, to: last)
            case .movePage(let pages): index + clamped(pages, to: last) * state.visibleRows
            case .moveToFirst: 0
            case .moveToLast: last
            default: index
            }
        state.selected = state.order[min(max(target, 0), last)]
        // Moving freezes the order, counted from the visible frame.
        state.movedAt = state.lastRefreshAt ?? state.orderedAt
        showSelected(&state)
        return []
    }

    /// Marks a market that the list has.
    static func select(_ market: MarketID, _ state: inout MarketListScreenState) {
        guard state.order.contains(market) else { return }
        state.selected = market
        state.movedAt = state.lastRefreshAt ?? state.orderedAt
        showSelected(&state)
    }

    /// Scrolls; the selection stays within the visible rows.
    static func scroll(_ state: inout MarketListScreenState, by rows: Int) {
        guard !state.order.isEmpty else { return }
        let last = max(state.order.count - max(state.visibleRows, 1), 0)
        let step = clamped(rows, to: state.order.count)
        state.firstVisible = min(max(state.firstVisible + step, 0), last)
        let window = state.window
        let index = state.selected.flatMap { state.order.firstIndex(of: $0) }
        if let index, !window.isEmpty {
            let bounded = min(max(index, window.lowerBound), window.upperBound - 1)
            state.selected = state.order[bounded]
        }
        state.movedAt = state.lastRefreshAt ?? state.orderedAt
        showSelected(&state)
    }

    private static func moved(
        _ period: ChangePeriod,
        _ action: MarketListAction
    ) -> ChangePeriod {
        let periods = ChangePeriod.allCases
        let index = periods.firstIndex(of: period) ?? 0
        let target: Int =
            switch action {
            case .move(let rows): index + clamped(rows, to: periods.count)
            case .moveToFirst: 0
            case .moveToLast: periods.count - 1
            default: index
            }
        return periods[min(max(target, 0), periods.count - 1)]
    }

    /// Clamps a step to ±`count`, so that sums cannot overflow.
    private static func clamped(_ step: Int, to count: Int) -> Int {
        min(max(step, -count), count)
    }

    /// Fits the list below the pinned block.
    static func fit(_ state: inout MarketListScreenState) {
        guard let roomRows = state.roomRows else { return }
        let block = state.pinned.count
        let rows = max(roomRows - (block == 0 ? 0 : block + 1), 1)
        guard rows != state.visibleRows else { return }
        state.visibleRows = rows
        showSelected(&state)
    }

    /// Scrolls so that the selected row is visible and no rows are blank below the last.
    static func showSelected(_ state: inout MarketListScreenState) {
        let rows = max(state.visibleRows, 1)
        if let index = state.selected.flatMap({ state.order.firstIndex(of: $0) }) {
            if index < state.firstVisible { state.firstVisible = index }
            if index >= state.firstVisible + rows { state.firstVisible = index - rows + 1 }
        }
        state.firstVisible = min(max(state.firstVisible, 0), max(state.order.count - rows, 0))
    }
}

extension MarketListReducer {
    /// The other direction; the user's own order has none.
    static func reverseSort(_ state: inout MarketListScreenState) -> [MarketListEffect] {
        guard state.sortInForce != nil else { return [] }
        if state.tab == .favorites {
            state.favoritesDirection = state.favoritesDirection.reversed
        } else {
            state.direction = state.direction.reversed
        }
        return reordered(&state)
    }

    /// Sorts by a key; the current key reverses.
    static func choose(
        _ sort: MarketSortKey,
        _ state: inout MarketListScreenState
    ) -> [MarketListEffect] {
        guard state.sortInForce != sort else { return reverseSort(&state) }
        if state.tab == .favorites {
            state.favoritesSort = sort
            state.favoritesDirection = sort.naturalDirection
        } else {
            state.sort = sort
            state.direction = sort.naturalDirection
        }
        return reordered(&state)
    }

    /// To the next sort key; the favorites' first is the user's own order.
    static func changeSort(_ state: inout MarketListScreenState) -> [MarketListEffect] {
        guard state.tab == .favorites else {
            state.sort = state.sort.next
            state.direction = state.sort.naturalDirection
            return reordered(&state)
        }
        let keys = MarketSortKey.allCases
        let place = state.favoritesSort.flatMap { keys.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        state.favoritesSort = place < keys.count ? keys[place] : nil
        if let sort = state.favoritesSort { state.favoritesDirection = sort.naturalDirection }
        return reordered(&state)
    }

    /// Reorders and scrolls to the top, which the user asked to see.
    private static func reordered(_ state: inout MarketListScreenState) -> [MarketListEffect] {
        state.selected = nil
        state.firstVisible = 0
        return [.reorder]
    }
}

extension MarketSortKey {
    /// The next key in the cycle.
    fileprivate var next: MarketSortKey {
        let keys = Self.allCases
        let index = keys.firstIndex(of: self) ?? 0
        return keys[(index + 1) % keys.count]
    }
}
