public import Domain

/// What a reader asks for of what is kept for a user.
public enum UserDocumentQuery: Sendable, Hashable {
    /// `market-list`, with a mark in every row; the only list that may be one of favourites.
    case marketList(MarketListQuery)
    /// `portfolio`, with texts in that language.
    case portfolio(Language)
    /// `snapshot`, with the documents of the market as the user sees it, and the user's own.
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

    /// Whether the answer tells of deposits and withdrawals, so that they have to be read while
    /// somebody asks.
    public var includesTransfers: Bool {
        switch self {
        case .portfolio: true
        case .snapshot(let query):
            query.portfolio != nil || DocumentQuery.snapshot(query.market).includesTransfers
        case .marketList, .settings, .favorites, .holdings, .cash, .me: false
        }
    }

    /// What has to be followed for the answer.
    public var interests: Set<DetailInterest> {
        switch self {
        case .snapshot(let query): DocumentQuery.snapshot(query.market).interests
        case .marketList, .portfolio, .settings, .favorites, .holdings, .cash, .me: []
        }
    }

    /// Whether the answer tells what the market is doing, and not only what is kept.
    public var includesMarketData: Bool {
        switch self {
        case .marketList, .portfolio, .snapshot: true
        case .settings, .favorites, .holdings, .cash, .me: false
        }
    }
}
