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
    /// The language of `…Text` fields.
    public var language: Language
    /// The language of all other words: messages, and the names that rows are sorted by.
    ///
    /// That of the reader on a screen; always Korean in the documents of the service, where `lang`
    /// decides `…Text` fields alone.
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
