public import Domain

/// What a reader asks of the list of deposits and withdrawals.
public struct AssetsQuery: Sendable, Hashable {
    /// Which coins.
    public var filter: AssetFilter
    /// The search text; nil or blank without a search.
    public var searchText: String?
    /// What to sort by.
    public var sort: AssetSortKey
    /// Which way.
    public var direction: SortDirection
    /// The language of texts.
    public var language: Language

    /// All coins by name.
    public init() {
        filter = .all
        sort = .name
        direction = .ascending
        language = .korean
    }

    /// The use case that answers the query.
    public var listAssets: ListAssets {
        ListAssets(
            filter: filter,
            search: searchText.flatMap { CoinSearch($0) },
            sort: sort,
            direction: direction,
            language: language
        )
    }

    /// The query as documents echo it.
    var viewState: AssetsViewState.Query {
        AssetsViewState.Query(
            state: filter.rawValue,
            q: searchText.flatMap { CoinSearch($0) == nil ? nil : $0 },
            sort: sort.rawValue,
            sortDirection: direction.rawValue
        )
    }
}
