public import Domain

/// What a reader asks of the list of markets.
public struct MarketListQuery: Sendable, Hashable {
    /// The largest number of rows in one document.
    public static let limitMax = 1_000

    /// Which markets a list is made of.
    public enum Tab: String, Sendable, Hashable, CaseIterable {
        /// The markets of a quote currency, or all.
        case markets
        /// All markets, ranked by turnover.
        case popular
        /// 관심: a user's favourites; only in lists of that user's own.
        case favorites
    }

    /// The tab.
    public var tab: Tab
    /// The quote currency; nil for both.
    public var quote: Quote?
    /// The period of every change in the list.
    public var period: ChangePeriod
    /// What to sort by; nil for the user's own order, which only favourites have.
    public var sort: MarketSortKey?
    /// Which way.
    public var direction: SortDirection
    /// The search text; nil or blank without a search.
    public var searchText: String?
    /// Only these markets; nil for all.
    public var markets: [MarketID]?
    /// Names asked for that are no market names at all; they are reported as missing.
    public var invalidMarketNames: [String]
    /// How many rows to pass over.
    public var offset: Int
    /// How many rows at the most.
    public var limit: Int
    /// The language of `…Text` fields.
    public var language: Language
    /// The language of all other words: messages, and the names that rows are sorted by.
    ///
    /// That of the reader on a screen; always Korean in the documents of the service, where `lang`
    /// decides `…Text` fields alone.
    public var messageLanguage = Language.korean

    /// Won markets by popularity over 24 hours, from the first row.
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

    /// The use case that answers the query of somebody without favourites.
    public var listMarkets: ListMarkets { listMarkets(favorites: []) }

    /// The use case that answers the query of somebody with these favourites, in order; only
    /// ``Tab/favorites`` reads them.
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

    /// Those of the favourites that the query does not leave out.
    func selected(_ favorites: [MarketID]) -> [MarketID] {
        let named = markets.map { Set($0) }
        return favorites.filter { market in
            (quote.map { $0 == market.quote } ?? true) && (named?.contains(market) ?? true)
        }
    }

    /// Those of the markets in order that the query's window shows.
    func shown(of order: [MarketID]) -> ArraySlice<MarketID> {
        let start = min(max(offset, 0), order.count)
        return order[start..<min(start + max(limit, 0), order.count)]
    }

    /// The currencies whose markets can be in the answer.
    var quotes: Set<Quote> {
        if let markets { return Set(markets.map(\.quote)) }
        return quote.map { [$0] } ?? Set(Quote.allCases)
    }

    /// The query as documents echo it.
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
