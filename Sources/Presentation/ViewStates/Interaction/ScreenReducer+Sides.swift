import Domain

/// The list and the market that is open beside it, in front of it, or behind it.
///
/// The keys go round from the list through the panes of the market. Esc gives them back to the
/// list, and there, when it has nothing else to take back, closes the market. Moving the mark of
/// the list changes nothing of the open market; Enter does.
extension ScreenReducer {
    /// Applies an action of the open market.
    static func reduce(_ state: inout ScreenState, detail action: MarketDetailAction) {
        guard var detail = state.detail else { return }
        if state.isSplit, goesToList(action, from: detail.focus) {
            state.isListInFront = true
            return
        }
        if MarketDetailReducer.reduce(&detail, action) {
            state.detail = detail
        } else if state.isSplit {
            state.isListInFront = true
        } else {
            leave(&state)
        }
    }

    /// Gives the keys to the first pane of the market beside the list, or to the market behind it;
    /// without one, opens the marked market.
    static func focusDetail(_ state: inout ScreenState) {
        guard state.page == .market, state.frontDetail == nil else { return }
        guard state.detail != nil else {
            if let market = state.list.selected { open(market, &state) }
            return
        }
        state.list.overlay = nil
        state.list.isSearching = false
        state.isListInFront = false
        // Where only one pane is seen it is the one that was seen before.
        if state.isSplit, let first = DetailPane.allCases.first { state.detail?.focus = first }
    }

    /// Opens a market in front, or beside the list.
    static func open(_ market: MarketID, _ state: inout ScreenState) {
        state.list.overlay = nil
        state.list.isSearching = false
        state.isListInFront = false
        state.detail = MarketDetailScreenState(
            market: market,
            like: state.detail ?? state.lastDetail,
            room: state.room
        )
    }

    /// Closes the open market.
    static func leave(_ state: inout ScreenState) {
        state.list.overlay = nil
        state.isListInFront = false
        state.lastDetail = state.detail
        state.detail = nil
    }

    /// Whether Esc in the list has nothing left to take back but the market beside it.
    static func isDetailDismissed(_ state: ScreenState) -> Bool {
        state.detail != nil && state.list.overlay == nil && !state.list.isSearching
            && state.list.searchText.isEmpty
    }

    /// Whether the keys go round from the market's panes to the list.
    private static func goesToList(_ action: MarketDetailAction, from pane: DetailPane) -> Bool {
        let panes = DetailPane.allCases
        return (action == .focusNext && pane == panes.last)
            || (action == .focusPrevious && pane == panes.first)
    }
}
