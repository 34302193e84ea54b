/// The document `market-list`, version 1: the list of markets as screen and JSON show it.
public typealias MarketListDocument = Document<MarketListViewState>

/// The list of markets: what was asked, how much of it there is, and the rows in order.
public struct MarketListViewState: DocumentState {
    /// `market-list`.
    public static let schemaName = "market-list"
    /// Version 1.
    public static let schemaVersion = 1

    /// Why no market matches.
    public enum EmptyReason: String, Sendable, Equatable, Decodable, CaseIterable {
        /// Nobody has starred a market.
        case noFavorites
        /// The search or the names given match nothing.
        case noMatch
        /// The first answer is still awaited.
        case loading
        /// The first answer failed.
        case error
    }

    /// How fresh and complete the list is.
    public var health: HealthViewState
    /// What was asked, with every default filled in.
    public var query: MarketListQueryViewState
    /// How many markets the tab has.
    public var total: Int
    /// How many of them match the search.
    public var filtered: Int
    /// How many entries of the exchange could not be read since the start.
    public var skipped: Int
    /// Names asked for that are no market; none of a currency whose list is still awaited.
    public var missing: [String]
    /// Why no market matches; nil if some do, even if `offset` lies beyond the last of them.
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
}

/// The query that a list answers, echoed in the words of the HTTP parameters.
public struct MarketListQueryViewState: Sendable, Equatable, Decodable {
    /// `markets` or `popular`; `favorites` in a user's own lists.
    public var tab: String
    /// `KRW`, `BTC`, or nil for both.
    public var quote: String?
    /// `24H`, `MID`, `12H`, `1H` or `30M`.
    public var changePeriod: String
    /// `popularity`, `name`, `price`, `changeRate` or `tradeValue`; nil where favourites stand in
    /// the user's own order.
    public var sort: String?
    /// `asc` or `desc`; nil likewise.
    public var sortDirection: String?
    /// The search text; nil without a search.
    public var q: String?
    /// How many rows were passed over.
    public var offset: Int
    /// How many rows at the most.
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
}
