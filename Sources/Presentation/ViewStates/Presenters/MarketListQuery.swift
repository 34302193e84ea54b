public import Domain

/// A query for the list of markets.
public struct MarketListQuery: Sendable, Hashable {
    /// Maximum rows of one document.
    public static let limitMax = 1_000

    /// The set of markets.
    public enum Tab: String, Sendable, Hashable, CaseIterable {
        /// Markets of one quote currency, or all.
        case markets
        /// All markets by trade value.
        case popular
        /// 관심: the user's favorites; only in the user's own lists.
        case favorites
    }

    /// The tab.
    public var tab: Tab
    /// The quote currency; nil for both.
    public var quote: Quote?
    /// The period of every change in the list.
    public var period: ChangePeriod
    /// The sort key; nil for the user's own order of favorites.
    public var sort: MarketSortKey?
    /// The sort direction.
    public var direction: SortDirection
    /// The search text; nil or blank without a search.
    public var searchText: String?
    /// Only these markets; nil for all.
    public var markets: [MarketID]?
    /// Requested names that are not market names; the answer lists them as missing.
    public var invalidMarketNames: [String]
    /// How many rows to skip.
    public var offset: Int
    /// Maximum rows.
    public var limit: Int
    /// The revision of the list that the rows are read from; nil for the newest.
    public var revision: String?
    /// The language of `…Text` fields.
    public var language: Language
    /// The language of messages, and of the names that rows are sorted by.
    ///
    /// Screens set the reader's language. In the service's documents it is always Korean, because
    /// `lang` decides `…Text` fields only.
    public var messageLanguage = Language.korean

    /// Won markets by popularity with 24-hour changes.
    public init() {
        tab = .markets
        quote = .krw
        period = .hours24
        sort = .popularity
        direction = .descending
        invalidMarketNames = []
        offset = 0
        limit = Self.limitMax
        language = .korean
    }

    /// The use case that answers the query without favorites.
    public var listMarkets: ListMarkets { listMarkets(favorites: []) }

    /// The use case that answers the query.
    ///
    /// Only ``Tab/favorites`` uses the user's favorites, which are in order.
    public func listMarkets(favorites: [MarketID]) -> ListMarkets {
        ListMarkets(
            selection: selection(favorites),
            search: searchText.flatMap { CoinSearch($0) },
            sort: sort,
            direction: direction,
            period: period,
            language: messageLanguage
        )
    }

    private func selection(_ favorites: [MarketID]) -> ListMarkets.Selection {
        switch tab {
        case .favorites: .favorites(selected(favorites))
        case .markets, .popular:
            if let markets { .markets(markets) } else if let quote { .quote(quote) } else { .all }
        }
    }

    /// The favorites that match currency and names of the query.
    func selected(_ favorites: [MarketID]) -> [MarketID] {
        let named = markets.map { Set($0) }
        return favorites.filter { market in
            (quote.map { $0 == market.quote } ?? true) && (named?.contains(market) ?? true)
        }
    }

    /// The markets between the query's offset and limit.
    func shown(of order: [MarketID]) -> ArraySlice<MarketID> { order[shownRange(of: order.count)] }

    /// The places of the shown rows in a list of `count` rows.
    func shownRange(of count: Int) -> Range<Int> {
        let start = min(max(offset, 0), count)
        return start..<min(start + max(limit, 0), count)
    }

    /// Whether a list of `count` rows goes on before or behind the shown ones.
    ///
    /// Also if it ends with them: a client that has as many rows as it asked for asks for more.
    func isPage(of count: Int) -> Bool { offset > 0 || limit <= count }

    /// The same list with all of its rows, the newest.
    public var whole: MarketListQuery {
        var query = self
        (query.offset, query.limit, query.revision) = (0, Self.limitMax, nil)
        return query
    }

    /// The currencies of markets that can match.
    var quotes: Set<Quote> {
        if let markets { return Set(markets.map(\.quote)) }
        return quote.map { [$0] } ?? Set(Quote.allCases)
    }

    /// The changes that the list shows whatever its order; none if it selects some markets.
    public var periodsOfAll: Set<ShownPeriod> {
        selectsMarkets ? [] : .lists(period, of: quotes)
    }

    /// The changes that the list shows; those of shown rows are read first.
    ///
    /// - Parameter order: the markets of the list in their order.
    /// - Returns: the selected markets' changes, or all changes and those of shown rows.
    public func shownPeriods(of order: [MarketID]) -> Set<ShownPeriod> {
        if selectsMarkets { return .rows(period, of: order) }
        let shown = shown(of: order)
        guard shown.count < order.count else { return periodsOfAll }
        return periodsOfAll.union(Set.rows(period, of: shown))
    }

    /// The markets whose changes the list must know: all that it ranks by them, else those that it
    /// shows.
    public func marketsWithChange(of order: [MarketID]) -> ArraySlice<MarketID> {
        order[rangeWithChange(of: order.count)]
    }

    /// The places of ``marketsWithChange(of:)`` in a list of `count` rows.
    func rangeWithChange(of count: Int) -> Range<Int> {
        sort == .changeRate ? 0..<count : shownRange(of: count)
    }

    /// Whether the list has only some of the markets.
    private var selectsMarkets: Bool {
        tab == .favorites || markets != nil || searchText.flatMap { CoinSearch($0) } != nil
    }

    /// The query as documents repeat it.
    var viewState: MarketListQueryViewState {
        MarketListQueryViewState(
            tab: tab.rawValue,
            quote: quote?.rawValue,
            changePeriod: period.rawValue,
            sort: sort?.rawValue,
            sortDirection: sort == nil ? nil : direction.rawValue,
            q: searchText.flatMap { CoinSearch($0) == nil ? nil : $0 },
            offset: offset,
            limit: limit
        )
    }
}
