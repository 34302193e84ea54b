public import Domain

/// A request for one of a user's documents.
public enum UserDocumentQuery: Sendable, Hashable {
    /// `market-list` with the user's mark in every row; only this list may be one of favorites.
    case marketList(MarketListQuery)
    /// `portfolio`, with texts in a language.
    case portfolio(Language)
    /// `alerts`, with texts in a language.
    case alerts(Language)
    /// `snapshot`, with documents of the market and of the user.
    case snapshot(UserSnapshotQuery)
    /// `settings`.
    case settings
    /// `favorites`.
    case favorites
    /// `holdings`.
    case holdings
    /// `cash`.
    case cash
    /// `me`.
    case me

    /// Whether the document shows deposits and withdrawals, which are read only while requested.
    public var includesTransfers: Bool {
        switch self {
        case .portfolio: true
        case .snapshot(let query):
            query.portfolio != nil || DocumentQuery.snapshot(query.market).includesTransfers
        case .marketList, .alerts, .settings, .favorites, .holdings, .cash, .me: false
        }
    }

    /// As ``DocumentQuery/partsWithChanges``.
    public var partsWithChanges: SnapshotQuery {
        switch self {
        case .marketList(let query): SnapshotQuery(marketList: query, marketDetail: nil)
        case .snapshot(let query): query.market
        case .portfolio, .alerts, .settings, .favorites, .holdings, .cash, .me: .empty
        }
    }

    /// The details that must be followed for the document.
    public var interests: Set<DetailInterest> {
        switch self {
        case .snapshot(let query): DocumentQuery.snapshot(query.market).interests
        case .marketList, .portfolio, .alerts, .settings, .favorites, .holdings, .cash, .me: []
        }
    }

    /// Whether the document shows market data, and not stored data only.
    public var includesMarketData: Bool {
        switch self {
        case .marketList, .portfolio, .snapshot: true
        case .alerts, .settings, .favorites, .holdings, .cash, .me: false
        }
    }

    /// Whether the document can be streamed.
    public var isStreamed: Bool {
        switch self {
        case .marketList, .portfolio, .alerts, .snapshot: true
        case .settings, .favorites, .holdings, .cash, .me: false
        }
    }
}

/// The documents of a user's snapshot.
public struct UserSnapshotQuery: Sendable, Hashable {
    /// The documents of the market; the list has the user's marks and may be one of favorites.
    public var market: SnapshotQuery
    /// The language of `portfolio`; nil without it.
    public var portfolio: Language?
    /// The language of `alerts`; nil without them.
    public var alerts: Language?

    /// Requests these documents.
    public init(market: SnapshotQuery, portfolio: Language?, alerts: Language? = nil) {
        self.market = market
        self.portfolio = portfolio
        self.alerts = alerts
    }
}
