/// A part of a market's details.
public enum DetailFacet: Sendable, Hashable {
    /// The order book.
    case book
    /// More of the order book than API 2.x streams; open beside ``book``.
    case deepBook
    /// The trades.
    case trades
    /// The candles of an interval.
    case candles(CandleInterval)
    /// A block of candles that may be older than those; open beside ``candles(_:)``.
    case pastCandles(CandleBlock)
    /// So many of the newest buckets, which may reach back before those; open beside
    /// ``candles(_:)``.
    ///
    /// The feed opens the blocks that they need.
    case newestCandles(CandleInterval, count: Int)
}

/// One part of one market that a client is interested in.
public struct DetailInterest: Sendable, Hashable {
    /// The market.
    public var market: MarketID
    /// The part.
    public var facet: DetailFacet

    /// Makes an interest.
    public init(market: MarketID, facet: DetailFacet) {
        self.market = market
        self.facet = facet
    }
}

/// A state change of the detail feed.
public enum DetailFeedEvent: Sendable, Hashable {
    /// The first client is interested: data will follow.
    case opened(DetailInterest)
    /// No client is interested any more: the data are discarded.
    case closed(DetailInterest)
    /// The book stream of these markets, nil for all, is connected; subscriptions are not
    /// confirmed yet.
    case connected(Set<MarketID>? = nil)
    /// The books of these markets are subscribed: later changes arrive.
    case subscribed([MarketID])
    /// The book stream of these markets, nil for all, was lost.
    ///
    /// The next attempt has this number and time.
    case disconnected(
        attempt: Int,
        nextRetryAt: Timestamp,
        failure: FeedFailure,
        markets: Set<MarketID>? = nil
    )
    /// A REST request failed.
    ///
    /// The request is retried at this time.
    case failed(DetailInterest, FeedFailure, nextRetryAt: Timestamp)
}
