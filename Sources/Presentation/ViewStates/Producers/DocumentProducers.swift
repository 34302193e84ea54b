public import Domain
public import UseCases

/// The makers of all documents: what an outlet for programs needs.
public struct DocumentProducers: Sendable {
    /// Of `order-book`.
    public typealias OrderBooks =
        DocumentProducer<MarketDetailQuery, MarketBlockViewState<OrderBookViewState>>
    /// Of `trades`.
    public typealias Trades =
        DocumentProducer<MarketDetailQuery, MarketBlockViewState<TradesViewState>>
    /// Of `candles`.
    public typealias Candles =
        DocumentProducer<MarketDetailQuery, MarketBlockViewState<ChartViewState>>

    /// Makes `market-list`.
    public let marketList: MarketListProducer
    /// Makes `market-detail`.
    public let marketDetail: DocumentProducer<MarketDetailQuery, MarketDetailViewState>
    /// Makes `order-book`.
    public let orderBook: OrderBooks
    /// Makes `trades`.
    public let trades: Trades
    /// Makes `candles`.
    public let candles: Candles
    /// Makes `assets`.
    public let assets: DocumentProducer<AssetsQuery, AssetsViewState>
    /// Makes `snapshot`: all its documents from one cut.
    public let snapshot: DocumentProducer<SnapshotQuery, SnapshotViewState>

    /// Makes the makers.
    ///
    /// - Parameters:
    ///   - marketList: makes the list, whose order a snapshot shares.
    ///   - detail: makes view states of single markets.
    ///   - latest: where boards come from: the same as the list's.
    ///   - epoch: the first part of every revision, new at each start of the process.
    public init(
        marketList: MarketListProducer,
        detail: MarketDetailPresenter,
        latest: SnapshotPublisher,
        epoch: String
    ) {
        self.marketList = marketList
        let counter = marketList.rows.counter
        marketDetail = .init(epoch: epoch, counter: counter, latest: latest) {
            detail.detail($0, $1)
        }
        orderBook = .init(epoch: epoch, counter: counter, latest: latest) { cut, query in
            .init(market: query.market.name, block: detail.orderBook(cut, query))
        }
        trades = .init(epoch: epoch, counter: counter, latest: latest) { cut, query in
            .init(market: query.market.name, block: detail.trades(cut, query))
        }
        candles = .init(epoch: epoch, counter: counter, latest: latest) { cut, query in
            .init(market: query.market.name, block: detail.chart(cut, query))
        }
        let assets = AssetsPresenter(names: detail.names)
        self.assets = .init(epoch: epoch, counter: counter, latest: latest) {
            assets.present($0, query: $1)
        }
        snapshot = .init(epoch: epoch, counter: counter) { query in
            // The list decides which cut it is: its order may only go forward.
            let list = query.marketList.map { marketList.content($0) }
            let cut = list?.cut ?? latest.value
            return .init(cut: cut) {
                SnapshotViewState(
                    marketList: list?.state,
                    marketDetail: query.marketDetail.map { detail.detail(cut, $0) },
                    assets: query.assets.map { assets.present(cut, query: $0) }
                )
            }
        }
    }

    /// The document that a query asks for as JSON, from the newest cut; encoded once for each
    /// revision.
    public func bytes(_ query: DocumentQuery) -> (bytes: [UInt8], revision: String) {
        switch query {
        case .marketList(let query): marketList.bytes(query)
        case .marketDetail(let query): marketDetail.bytes(query)
        case .orderBook(let query): orderBook.bytes(query)
        case .trades(let query): trades.bytes(query)
        case .candles(let query): candles.bytes(query)
        case .assets(let query): assets.bytes(query)
        case .snapshot(let query): snapshot.bytes(query)
        }
    }

    /// Follows the document that a query asks for: its revisions are those of ``bytes(_:)``.
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
