public import Domain

/// A query for deposit and withdrawal states.
public struct AssetsQuery: Sendable, Hashable {
    /// The filter.
    public var filter: AssetFilter
    /// The search text; nil or blank without a search.
    public var searchText: String?
    /// The sort key.
    public var sort: AssetSortKey
    /// The sort direction.
    public var direction: SortDirection
    /// The language of `…Text` fields.
    public var language: Language
    /// The language of messages, and of the names that rows are sorted by.
    ///
    /// Screens set the reader's language. In the service's documents it is always Korean, because
    /// `lang` decides `…Text` fields only.
    public var messageLanguage = Language.korean

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
            language: messageLanguage
        )
    }

    /// The query as documents repeat it.
    var viewState: AssetsViewState.Query {
        AssetsViewState.Query(
            state: filter.rawValue,
            q: searchText.flatMap { CoinSearch($0) == nil ? nil : $0 },
            sort: sort.rawValue,
            sortDirection: direction.rawValue
        )
    }
}
