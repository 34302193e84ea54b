public import Domain
public import ViewStates

/// The tabs of the list screen, in the order in which they cycle.
public enum MarketListTab: String, Sendable, Hashable, CaseIterable {
    /// 원화: won markets.
    case krw
    /// BTC: bitcoin markets.
    case btc
    /// 인기: both, ranked by 24-hour trade value in won.
    case popular
    /// 관심: the user's favorites of both currencies.
    case favorites
}

/// The user's state of the list screen, independent of market data.
///
/// Rows are held by identity: row numbers are valid for one frame only.
public struct MarketListScreenState: Sendable, Equatable {
    /// Panels over the list.
    public enum Overlay: Sendable, Equatable {
        /// The keys.
        case help
        /// The menu of change periods and its selected item.
        case periods(ChangePeriod)
        /// The chooser of the chart's averages and panes, and its selected row.
        case indicators(IndicatorRow)
        /// The rule of the popularity ranking.
        case popularityRule
        /// The palette of markets, screens and commands.
        case palette(PaletteState)
    }

    /// The open tab.
    public var tab: MarketListTab
    /// The sort key.
    public var sort: MarketSortKey
    /// Which way.
    public var direction: SortDirection
    /// The change period of every rate on the screen.
    public var period: ChangePeriod
    /// The search text; empty without a search.
    public var searchText: String
    /// The only markets of the list, as the command line named them; nil for all.
    public var onlyMarkets: [MarketID]?
    /// Whether the search field has focus.
    public var isSearching: Bool
    /// The panel over the list.
    public var overlay: Overlay?
    /// All matching markets in their current order, which changes at most every two seconds.
    public var order: [MarketID]
    /// The selected market.
    public var selected: MarketID?
    /// The index in ``order`` of the first visible row.
    public var firstVisible: Int
    /// How many rows of the list the screen shows at once.
    public var visibleRows: Int
    /// 관심: the user's favorites in their saved order.
    public var favorites: [MarketID]
    /// Whether each market takes one line at any size of the window.
    public var wantsCompact = false
    /// Whether the screen is compact now: wanted, or too small for anything else.
    public internal(set) var isCompact = false
    /// Whether the favorites are pinned above the list.
    public var pinsFavorites: Bool
    /// The sort key of the favorites tab; nil for the user's own order.
    public var favoritesSort: MarketSortKey?
    /// The sort direction of the favorites tab.
    public var favoritesDirection: SortDirection
    /// How far the help is scrolled.
    public internal(set) var help = TextScroll(overlap: 2)
    /// How many rows there are for the list and the block above it; nil before they were counted.
    var roomRows: Int?
    /// Whether the tab's markets are loaded, so that an empty ``order`` means none.
    var isRead = false
    /// When ``order`` was computed.
    public var orderedAt: Timestamp?
    /// When the user last moved the selection.
    public var movedAt: Timestamp?
    /// The time of the last refresh: the screen's own now.
    public var lastRefreshAt: Timestamp?

    /// The first screen: won markets by popularity over 24 hours.
    public init(period: ChangePeriod = .hours24) {
        tab = .krw
        sort = .popularity
        direction = .descending
        self.period = period
        searchText = ""
        isSearching = false
        order = []
        firstVisible = 0
        visibleRows = 1
        favorites = []
        favoritesDirection = .descending
        pinsFavorites = true
    }

    /// The favorites above the list, with their heading at most a third of the rows.
    public var pinned: ArraySlice<MarketID> {
        guard pinsFavorites, !isCompact, tab != .favorites, !isSearching, searchText.isEmpty,
            onlyMarkets == nil, let roomRows
        else { return [] }
        return favorites.prefix(max(roomRows / 3 - 1, 0))
    }

    /// The sort key of the open tab; nil for the user's own order.
    public var sortInForce: MarketSortKey? { tab == .favorites ? favoritesSort : sort }

    /// The sort direction of the open tab.
    public var directionInForce: SortDirection {
        tab == .favorites ? favoritesDirection : direction
    }

    /// The state whose document has the rows of the block above the list; nil without a block.
    public var pinnedState: MarketListScreenState? {
        let pinned = pinned
        guard !pinned.isEmpty else { return nil }
        var state = self
        state.tab = .favorites
        state.order = Array(pinned)
        state.firstVisible = 0
        state.visibleRows = pinned.count
        return state
    }

    /// The indexes of ``order`` that are on the screen.
    public var window: Range<Int> {
        let start = min(max(firstVisible, 0), order.count)
        return start..<min(start + max(visibleRows, 0), order.count)
    }
}

extension MarketListScreenState {
    /// The query that the screen's window answers.
    public func query(language: Language) -> MarketListQuery {
        var query = MarketListQuery()
        switch tab {
        case .krw: query.quote = .krw
        case .btc: query.quote = .btc
        case .popular:
            query.tab = .popular
            query.quote = nil
        case .favorites:
            query.tab = .favorites
            query.quote = nil
        }
        if tab != .favorites {
            query.markets = onlyMarkets?.filter { tab == .popular || $0.quote == query.quote }
        }
        query.period = period
        query.sort = sortInForce
        query.direction = directionInForce
        query.searchText = searchText.isEmpty ? nil : searchText
        query.offset = window.lowerBound
        query.limit = max(window.count, 1)
        query.language = language
        query.messageLanguage = language
        return query
    }
}
