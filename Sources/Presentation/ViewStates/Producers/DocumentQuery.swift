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
    /// `assets`.
    case assets(AssetsQuery)
    /// `snapshot`.
    case snapshot(SnapshotQuery)

    /// What is asked of a single market; nil if the question is of none.
    public var detail: MarketDetailQuery? {
        switch self {
        case .marketList, .assets: nil
        case .marketDetail(let query), .orderBook(let query), .trades(let query),
            .candles(let query):
            query
        case .snapshot(let query): query.marketDetail
        }
    }

    /// What has to be followed for the answer.
    public var interests: Set<DetailInterest> {
        switch self {
        case .marketList, .assets: []
        case .marketDetail(let query): query.interests
        case .orderBook(let query): [DetailInterest(market: query.market, facet: .book)]
        case .trades(let query): [DetailInterest(market: query.market, facet: .trades)]
        case .candles(let query):
            [DetailInterest(market: query.market, facet: .candles(query.interval))]
        case .snapshot(let query): query.marketDetail?.interests ?? []
        }
    }

    /// Whether the answer tells of deposits and withdrawals, so that they have to be read while
    /// somebody asks.
    public var includesTransfers: Bool {
        switch self {
        case .assets, .marketDetail: true
        case .snapshot(let query): query.assets != nil || query.marketDetail != nil
        case .marketList, .orderBook, .trades, .candles: false
        }
    }

    /// Whether the answer is a list of deposits and withdrawals, or holds one: it waits for their
    /// first reading.
    var requiresTransfers: Bool {
        switch self {
        case .assets: true
        case .snapshot(let query): query.assets != nil
        case .marketList, .marketDetail, .orderBook, .trades, .candles: false
        }
    }
}
