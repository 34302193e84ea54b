/// A part of a market's detail that somebody may look at.
public enum DetailFacet: Sendable, Hashable {
    /// The order book.
    case book
    /// The trades.
    case trades
    /// The candles of an interval.
    case candles(CandleInterval)
}

/// One part of one market that somebody looks at.
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

/// What happened to the feed of details.
public enum DetailFeedEvent: Sendable, Hashable {
    /// Somebody began to look: data will come.
    case opened(DetailInterest)
    /// Nobody looks any more: what was held is given up.
    case closed(DetailInterest)
    /// The stream of books is connected again; what is subscribed on it is yet to be confirmed.
    case connected
    /// The stream of these books is subscribed: what happens from now on arrives.
    case subscribed([MarketID])
    /// The stream of books is gone; the next attempt has this number and is made at this time.
    case disconnected(attempt: Int, nextRetryAt: Timestamp, failure: FeedFailure)
    /// A REST reading failed; it is repeated at this time.
    case failed(DetailInterest, FeedFailure, nextRetryAt: Timestamp)
}
