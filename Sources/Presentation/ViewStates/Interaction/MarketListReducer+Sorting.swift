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
        return reordered(&state)
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
        return reordered(&state)
    }

    /// To the next key; among the favourites the first of them is the user's own order.
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

    /// Another order: who stands at the top of the list sees the top of the new one, and whoever
    /// has marked a row further down keeps it in sight.
    private static func reordered(_ state: inout MarketListScreenState) -> [MarketListEffect] {
        if state.selected == state.order.first {
            state.selected = nil
            state.firstVisible = 0
        }
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
