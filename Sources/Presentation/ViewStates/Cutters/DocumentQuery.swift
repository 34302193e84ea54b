public import Domain

/// What a reader asks for: one of the documents, and what of it.
public enum DocumentQuery: Sendable, Hashable {
    /// `market-list`.
    case marketList(MarketListQuery)
    /// `market-detail`.
    case marketDetail(MarketDetailQuery)
    /// `order-book`.
    case orderBook(MarketDetailQuery)
    /// `trades`.
    case trades(MarketDetailQuery)
    /// `candles`.
    case candles(MarketDetailQuery)
    /// `snapshot`.
    case snapshot(SnapshotQuery)

    /// What is asked of a single market; nil if the question is of none.
    public var detail: MarketDetailQuery? {
        switch self {
        case .marketList: nil
        case .marketDetail(let query), .orderBook(let query), .trades(let query),
            .candles(let query):
            query
        case .snapshot(let query): query.marketDetail
        }
    }

    /// What has to be followed for the answer.
    public var interests: Set<DetailInterest> {
        switch self {
        case .marketList: []
        case .marketDetail(let query): query.interests
        case .orderBook(let query): [DetailInterest(market: query.market, facet: .book)]
        case .trades(let query): [DetailInterest(market: query.market, facet: .trades)]
        case .candles(let query):
            [DetailInterest(market: query.market, facet: .candles(query.interval))]
        case .snapshot(let query): query.marketDetail?.interests ?? []
        }
    }
}
