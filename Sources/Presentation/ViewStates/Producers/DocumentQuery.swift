public import Domain

/// A request for a public document.
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

    /// The request for a single market's detail; nil for other documents.
    public var detail: MarketDetailQuery? {
        switch self {
        case .marketList, .assets: nil
        case .marketDetail(let query), .orderBook(let query), .trades(let query),
            .candles(let query):
            query
        case .snapshot(let query): query.marketDetail
        }
    }

    /// The parts that show changes over a period.
    public var partsWithChanges: SnapshotQuery {
        switch self {
        case .marketList(let query): SnapshotQuery(marketList: query, marketDetail: nil)
        case .marketDetail(let query): SnapshotQuery(marketList: nil, marketDetail: query)
        case .snapshot(let query): query
        case .orderBook, .trades, .candles, .assets: .empty
        }
    }

    /// The details that must be followed for the document.
    public var interests: Set<DetailInterest> {
        switch self {
        case .marketList, .assets: []
        case .marketDetail(let query): query.interests
        case .orderBook(let query): query.bookInterests
        case .trades(let query): [DetailInterest(market: query.market, facet: .trades)]
        case .candles(let query): query.candleInterests
        case .snapshot(let query): query.marketDetail?.interests ?? []
        }
    }

    /// Whether the document shows deposits and withdrawals, which are read only while requested.
    public var includesTransfers: Bool {
        switch self {
        case .assets, .marketDetail: true
        case .snapshot(let query): query.assets != nil || query.marketDetail != nil
        case .marketList, .orderBook, .trades, .candles: false
        }
    }

    /// Whether the document lists deposits and withdrawals: it waits for their first reading.
    var requiresTransfers: Bool {
        switch self {
        case .assets: true
        case .snapshot(let query): query.assets != nil
        case .marketList, .marketDetail, .orderBook, .trades, .candles: false
        }
    }
}

/// The documents of a snapshot.
public struct SnapshotQuery: Sendable, Hashable {
    /// The request for the list; nil without it.
    public var marketList: MarketListQuery?
    /// The request for a market's detail; nil without it.
    public var marketDetail: MarketDetailQuery?
    /// The request for deposits and withdrawals; nil without them.
    public var assets: AssetsQuery?

    /// No documents.
    public static let empty = SnapshotQuery(marketList: nil, marketDetail: nil)

    /// Requests these documents.
    public init(
        marketList: MarketListQuery?,
        marketDetail: MarketDetailQuery?,
        assets: AssetsQuery? = nil
    ) {
        self.marketList = marketList
        self.marketDetail = marketDetail
        self.assets = assets
    }
}
