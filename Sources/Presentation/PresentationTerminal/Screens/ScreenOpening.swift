public import Domain
public import ViewStates

/// Where a session opens, other than with the list as it was left.
public struct ScreenOpening: Sendable, Equatable {
    /// The page.
    public var page = ScreenPage.market
    /// A market in front of the list; nil for none.
    public var market: MarketID?
    /// The search text of the list; empty without a search.
    public var searchText = ""
    /// The only markets of the list; nil for all.
    public var markets: [MarketID]?
    /// Whether each market of the list takes one line at any size of the window.
    public var isCompact = false
    /// Order and search of deposits and withdrawals; nil for the usual ones.
    public var assets: AssetsQuery?

    /// Opens the list.
    public init() {}
}

extension ScreenState {
    /// Opens page and market, and narrows the lists.
    mutating func open(at opening: ScreenOpening) {
        page = opening.page
        list.searchText = opening.searchText
        list.onlyMarkets = opening.markets
        list.wantsCompact = opening.isCompact
        if let query = opening.assets {
            assets.filter = query.filter
            assets.sort = query.sort
            assets.direction = query.direction
            assets.searchText = query.searchText ?? ""
        }
        if let market = opening.market { ScreenReducer.open(market, &self) }
    }
}
