import Domain

extension MarketListReducer {
    /// Moves the mark of the list, or of the open period menu.
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
        // The mark freezes the order for a while, reckoned from the cut that is on the screen.
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

    /// Moves the window; a mark that would leave it goes with its edge.
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

    /// A step of at most `count` either way, so that no sum leaves the integers.
    private static func clamped(_ step: Int, to count: Int) -> Int {
        min(max(step, -count), count)
    }

    /// Gives the list the rows that the block above it leaves.
    static func fit(_ state: inout MarketListScreenState) {
        guard let roomRows = state.roomRows else { return }
        let block = state.pinned.count
        let rows = max(roomRows - (block == 0 ? 0 : block + 1), 1)
        guard rows != state.visibleRows else { return }
        state.visibleRows = rows
        showSelected(&state)
    }

    /// Scrolls so that the marked row is on the screen and no room is left empty below the last.
    static func showSelected(_ state: inout MarketListScreenState) {
        let rows = max(state.visibleRows, 1)
        if let index = state.selected.flatMap({ state.order.firstIndex(of: $0) }) {
            if index < state.firstVisible { state.firstVisible = index }
            if index >= state.firstVisible + rows { state.firstVisible = index - rows + 1 }
        }
        state.firstVisible = min(max(state.firstVisible, 0), max(state.order.count - rows, 0))
    }
}
