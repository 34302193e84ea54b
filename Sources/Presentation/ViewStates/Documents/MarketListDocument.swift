import Domain

/// The document `market-list`, version 1: the list of markets.
public typealias MarketListDocument = Document<MarketListViewState>

/// The list of markets: the query, the counts, and the rows in order.
public struct MarketListViewState: StreamedState {
    /// `market-list`.
    public static let schemaName = "market-list"

    /// Why no market matches.
    public enum EmptyReason: String, DocumentValue, CaseIterable {
        /// The user has no favorites.
        case noFavorites
        /// No market matches the search or the requested names.
        case noMatch
        /// The first answer has not arrived.
        case loading
        /// The first answer failed.
        case error
    }

    /// How fresh and complete the list is.
    public var health: HealthViewState
    /// The query, every default filled in.
    public var query: MarketListQueryViewState
    /// How many markets the tab has.
    public var total: Int
    /// How many of them match the search.
    public var filtered: Int
    /// How many entries of the exchange could not be decoded since the start.
    public var skipped: Int
    /// Requested names that are not markets; without those of a currency that is not loaded yet.
    public var missing: [String]
    /// Why no market matches; nil if any does, even if `offset` lies beyond the last one.
    public var emptyReason: EmptyReason?
    /// The rows from `offset` on, at most `limit`.
    public var rows: [MarketRowViewState]

    /// Makes a list.
    public init(
        health: HealthViewState,
        query: MarketListQueryViewState,
        total: Int,
        filtered: Int,
        skipped: Int,
        missing: [String],
        emptyReason: EmptyReason?,
        rows: [MarketRowViewState]
    ) {
        self.health = health
        self.query = query
        self.total = total
        self.filtered = filtered
        self.skipped = skipped
        self.missing = missing
        self.emptyReason = emptyReason
        self.rows = rows
    }

    /// About 900 bytes a row.
    public var estimatedJSONSize: Int { 512 + rows.count * 900 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object(
            "MarketListState",
            "The list of markets.",
            user: "The list of markets with the user's favorite marks."
        )
        fields.add("health", \.health)
        fields.add("query", \.query)
        fields.add("total", \.total, note: "How many markets the tab has.")
        fields.add("filtered", \.filtered, note: "How many of them match the search.")
        fields.add(
            "skipped",
            \.skipped,
            note: "Entries of the exchange that could not be decoded since the start."
        )
        fields.add("missing", \.missing, note: "Requested names that are not markets.")
        fields.add("emptyReason", \.emptyReason)
        fields.rows("rows", \.rows, insert: .last)
    }
}

/// The query of a list, in the words of the HTTP parameters.
public struct MarketListQueryViewState: DocumentObject {
    /// `markets` or `popular`; `favorites` in a user's own lists.
    public var tab: String
    /// `KRW`, `BTC`, or nil for both.
    public var quote: String?
    /// `24H`, `MID`, `12H`, `1H` or `30M`.
    public var changePeriod: String
    /// `popularity`, `name`, `price`, `changeRate` or `tradeValue`; nil for the user's own order of
    /// favorites.
    public var sort: String?
    /// `asc` or `desc`; nil for the user's own order.
    public var sortDirection: String?
    /// The search text; nil without a search.
    public var q: String?
    /// How many rows are skipped.
    public var offset: Int
    /// Maximum rows.
    public var limit: Int

    /// Makes a query.
    public init(
        tab: String,
        quote: String?,
        changePeriod: String,
        sort: String?,
        sortDirection: String?,
        q: String?,
        offset: Int,
        limit: Int
    ) {
        self.tab = tab
        self.quote = quote
        self.changePeriod = changePeriod
        self.sort = sort
        self.sortDirection = sortDirection
        self.q = q
        self.offset = offset
        self.limit = limit
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("MarketListQuery", "The query, every default filled in.")
        fields.add("tab", \.tab, .values(of: MarketListQuery.Tab.self))
        fields.add("quote", \.quote, .values(of: Quote.self), note: "null: both.")
        fields.add("changePeriod", \.changePeriod, .values(of: ChangePeriod.self))
        fields.add(
            "sort",
            \.sort,
            .values(of: MarketSortKey.self),
            note: "null: the user's own order of favorites."
        )
        fields.add("sortDirection", \.sortDirection, .values(of: SortDirection.self))
        fields.add("q", \.q)
        fields.add("offset", \.offset)
        fields.add("limit", \.limit, .integer(in: 1...MarketListQuery.limitMax))
    }
}
