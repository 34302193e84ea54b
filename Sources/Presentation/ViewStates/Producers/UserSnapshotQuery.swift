public import Domain

/// Which documents a user wants in one cut: of the market as that user sees it, and of the user.
public struct UserSnapshotQuery: Sendable, Hashable {
    /// The documents of the market; in the list favourites are marked, and it may be one of them.
    public var market: SnapshotQuery
    /// The language of `portfolio`; nil without it.
    public var portfolio: Language?

    /// Asks for these documents.
    public init(market: SnapshotQuery, portfolio: Language?) {
        self.market = market
        self.portfolio = portfolio
    }
}
