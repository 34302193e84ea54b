import Domain

extension MarketListReducer {
    /// The other direction; the user's own order has none.
    static func reverseSort(_ state: inout MarketListScreenState) -> [MarketListEffect] {
        guard state.sortInForce != nil else { return [] }
        if state.tab == .favorites {
            state.favoritesDirection = state.favoritesDirection.reversed
        } else {
            state.direction = state.direction.reversed
        }
        return [.reorder]
    }

    /// Sorts by a key; by one that is in force already, the other way.
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
        return [.reorder]
    }
}
