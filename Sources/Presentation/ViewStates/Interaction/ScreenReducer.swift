import Domain

/// Moves the screens from one state to the next: a pure function of state and action.
public enum ScreenReducer: Sendable {
    /// Applies an action.
    ///
    /// - Returns: what is to be done outside, in order.
    public static func reduce(
        _ state: inout ScreenState,
        _ action: ScreenAction
    ) -> [ScreenEffect] {
        let held = state.interests
        var effects: [ScreenEffect] = []
        switch action {
        case .list(let action): effects = reduce(&state, list: action)
        case .openSelected:
            effects = MarketListReducer.reduce(&state.list, .confirm).map(ScreenEffect.init)
            if state.detail == nil, let market = state.list.selected { open(market, &state) }
        case .open(let market): open(market, &state)
        case .detail(let action):
            guard var detail = state.detail else { return [] }
            if MarketDetailReducer.reduce(&detail, action) {
                state.detail = detail
            } else {
                leave(&state)
            }
        case .resize(let visibleRows, let room):
            state.room = room
            state.detail?.room = room
            effects = MarketListReducer.reduce(&state.list, .resize(visibleRows: visibleRows))
                .map(ScreenEffect.init)
        }
        return state.interests == held ? effects : [.hold(state.interests)] + effects
    }

    /// Applies an action of the list; under a detail, only what is meant for the whole screen.
    private static func reduce(
        _ state: inout ScreenState,
        list action: MarketListAction
    ) -> [ScreenEffect] {
        guard state.detail != nil else {
            return MarketListReducer.reduce(&state.list, action).map(ScreenEffect.init)
        }
        switch action {
        case .move, .moveToFirst, .moveToLast, .confirm, .dismiss:
            // Meant for the menu; without one they would move the list that nobody sees.
            guard state.list.overlay != nil else { return [] }
        case .openPeriods, .choosePeriod, .reload, .toggleHelp, .resize, .ordered, .quit: break
        case .nextTab, .previousTab, .nextSort, .reverseSort, .beginSearch, .typeSearch,
            .deleteSearch, .movePage, .togglePopularityRule, .refresh:
            return []
        }
        // The order of rows that are not seen can wait until they are.
        return MarketListReducer.reduce(&state.list, action)
            .filter { $0 != .reorder }
            .map(ScreenEffect.init)
    }

    private static func open(_ market: MarketID, _ state: inout ScreenState) {
        state.list.overlay = nil
        state.list.isSearching = false
        state.detail = MarketDetailScreenState(
            market: market,
            like: state.detail ?? state.lastDetail,
            room: state.room
        )
    }

    private static func leave(_ state: inout ScreenState) {
        state.list.overlay = nil
        state.lastDetail = state.detail
        state.detail = nil
    }
}
