import Domain
public import UseCases

/// The producers of all public documents.
public struct DocumentProducers: Sendable {
    /// Produces `order-book`.
    public typealias OrderBooks =
        DocumentProducer<MarketDetailQuery, MarketBlockViewState<OrderBookViewState>>
    /// Produces `trades`.
    public typealias Trades =
        DocumentProducer<MarketDetailQuery, MarketBlockViewState<TradesViewState>>
    /// Produces `candles`.
    public typealias Candles =
        DocumentProducer<MarketDetailQuery, MarketBlockViewState<ChartViewState>>

    /// Produces `market-list`.
    public let marketList: MarketListProducer
    /// Produces `market-detail`.
    public let marketDetail: DocumentProducer<MarketDetailQuery, MarketDetailViewState>
    /// Produces `order-book`.
    public let orderBook: OrderBooks
    /// Produces `trades`.
    public let trades: Trades
    /// Produces `candles`.
    public let candles: Candles
    /// Produces `assets`.
    public let assets: DocumentProducer<AssetsQuery, AssetsViewState>
    /// Produces `snapshot`: several documents of one snapshot of the board.
    public let snapshot: DocumentProducer<SnapshotQuery, SnapshotViewState>

    /// Keeps all documents.
    public let cache: DocumentCache

    /// Makes the producers.
    ///
    /// - Parameters:
    ///   - marketList: produces lists; its cache and the order of its lists are shared.
    ///   - detail: presents single markets.
    ///   - latest: publishes the snapshots of the board; the same as the list's.
    ///   - epoch: the first part of every revision, new at each start of the process.
    public init(
        marketList: MarketListProducer,
        detail: MarketDetailPresenter,
        latest: SnapshotPublisher,
        epoch: String
    ) {
        self.marketList = marketList
        let cache = marketList.rows.cache
        self.cache = cache
        func producer<Query, State>(
            _ query: @escaping @Sendable (Query) -> DocumentQuery,
            _ present: @escaping @Sendable (BoardSnapshot, Query) -> State
        ) -> DocumentProducer<Query, State> {
            .init(cache: cache, epoch: epoch, cacheKey: { .shared(query($0)) }) { query in
                let snapshot = latest.value
                return .init(snapshot: snapshot) { present(snapshot, query) }
            }
        }
        let rows = marketList.rows
        let presentDetail: @Sendable (BoardSnapshot, MarketDetailQuery) -> MarketDetailViewState = {
            rows.use($1.shownPeriods)
            return detail.detail($0, $1)
        }
        marketDetail = producer({ .marketDetail($0) }, presentDetail)
        orderBook = producer({ .orderBook($0) }) {
            .init(market: $1.market.name, block: detail.orderBook($0, $1))
        }
        trades = producer({ .trades($0) }) {
            .init(market: $1.market.name, block: detail.tradesPage($0, $1))
        }
        candles = producer({ .candles($0) }) {
            .init(market: $1.market.name, block: detail.chart($0, $1))
        }
        let assets = AssetsPresenter(names: detail.names)
        self.assets = producer({ .assets($0) }) { assets.present($0, query: $1) }
        snapshot = .init(
            cache: cache,
            epoch: epoch,
            cacheKey: { .shared(.snapshot($0)) }
        ) { query in
            // The list chooses the snapshot, because its order may not go back in time.
            let list = query.marketList.map { marketList.reading($0) }
            let snapshot = list?.snapshot ?? latest.value
            return .init(snapshot: snapshot) {
                SnapshotViewState(
                    marketList: list?.content.state,
                    marketDetail: query.marketDetail.map { presentDetail(snapshot, $0) },
                    assets: query.assets.map { assets.present(snapshot, query: $0) }
                )
            }
        }
    }

    /// The document of a query as JSON, from the newest snapshot, and its revision.
    public func bytes(_ query: DocumentQuery) -> (bytes: [UInt8], revision: String) {
        let document = encoded(query).document
        return (document.json, document.revision)
    }

    /// The encoded document of a query from the newest snapshot.
    ///
    /// - Parameters:
    ///   - query: the requested document.
    ///   - prepare: called with the last and a new revision before readers get the new one.
    /// - Returns: the document, and the sequence of the snapshot it was compared with.
    public func encoded(
        _ query: DocumentQuery,
        prepare: ((_ old: EncodedDocument, _ new: EncodedDocument) -> Void)? = nil
    ) -> (document: EncodedDocument, sequence: UInt64) {
        switch query {
        case .marketList(let query): marketList.encoded(query, prepare: prepare)
        case .marketDetail(let query): marketDetail.encoded(query, prepare: prepare)
        case .orderBook(let query): orderBook.encoded(query, prepare: prepare)
        case .trades(let query): trades.encoded(query, prepare: prepare)
        case .candles(let query): candles.encoded(query, prepare: prepare)
        case .assets(let query): assets.encoded(query, prepare: prepare)
        case .snapshot(let query): snapshot.encoded(query, prepare: prepare)
        }
    }

    /// The cached document of a query; nil unless it was compared with this or a newer snapshot.
    public func cached(
        _ query: DocumentQuery,
        notBefore sequence: UInt64
    ) -> (document: EncodedDocument, sequence: UInt64)? {
        if case .marketList(let list) = query {
            return marketList.cached(list, notBefore: sequence)
        }
        return cache.encoded(.shared(query), notBefore: sequence)
    }

    /// The document of a query, kept in the cache until the result is released.
    public func follow(_ query: DocumentQuery) -> PinnedDocument {
        switch query {
        case .marketList(let query): marketList.follow(query)
        case .marketDetail(let query): marketDetail.follow(query)
        case .orderBook(let query): orderBook.follow(query)
        case .trades(let query): trades.follow(query)
        case .candles(let query): candles.follow(query)
        case .assets(let query): assets.follow(query)
        case .snapshot(let query): snapshot.follow(query)
        }
    }
}
