public import Domain

/// The document `market-detail`, version 1: everything of one market, in one cut.
public typealias MarketDetailDocument = DetailDocument<MarketDetailViewState>
/// The document `order-book`, version 1.
public typealias OrderBookDocument = DetailDocument<MarketBlockViewState<OrderBookViewState>>
/// The document `trades`, version 1.
public typealias TradesDocument = DetailDocument<MarketBlockViewState<TradesViewState>>
/// The document `candles`, version 1.
public typealias CandlesDocument = DetailDocument<MarketBlockViewState<ChartViewState>>

/// A state that is a document of its own.
public protocol DocumentState: Sendable, Equatable, Decodable {
    /// The schema's name.
    static var schemaName: String { get }
    /// The schema's version; changes within a version are additive.
    static var schemaVersion: Int { get }
}

/// A document about one market.
public struct DetailDocument<State: DocumentState>: Sendable, Equatable, Decodable {
    /// The schema's name.
    public var schema: String
    /// The schema's version.
    public var version: Int
    /// Opaque: `<epoch>-<counter>`; changes exactly when the content changes.
    public var revision: String
    /// When this revision was cut.
    public var asOf: Timestamp
    /// Where the data come from.
    public var source: SourceViewState
    /// What the document is about.
    public var state: State

    /// Makes a document.
    public init(revision: String, asOf: Timestamp, source: SourceViewState, state: State) {
        schema = State.schemaName
        version = State.schemaVersion
        self.revision = revision
        self.asOf = asOf
        self.source = source
        self.state = state
    }
}

/// Everything of one market.
public struct MarketDetailViewState: DocumentState {
    /// `market-detail`.
    public static let schemaName = "market-detail"
    /// Version 1.
    public static let schemaVersion = 1

    /// Names, price, change and the day's figures.
    public var header: DetailHeaderViewState
    /// The order book.
    public var orderBook: OrderBookViewState
    /// The newest trades.
    public var trades: TradesViewState
    /// The candles.
    public var chart: ChartViewState

    /// Makes a detail.
    public init(
        header: DetailHeaderViewState,
        orderBook: OrderBookViewState,
        trades: TradesViewState,
        chart: ChartViewState
    ) {
        self.header = header
        self.orderBook = orderBook
        self.trades = trades
        self.chart = chart
    }
}

/// One block of a detail that can be asked for alone.
public protocol DetailBlock: Sendable, Equatable, Decodable {
    /// The name of the block's own document.
    static var schemaName: String { get }
}

/// A block of a detail, and which market it is of: the block's keys and `market` side by side.
public struct MarketBlockViewState<Block: DetailBlock>: DocumentState {
    /// The block's schema.
    public static var schemaName: String { Block.schemaName }
    /// Version 1.
    public static var schemaVersion: Int { 1 }

    /// `BTC_KRW`.
    public var market: String
    /// The block.
    public var block: Block

    private enum CodingKeys: String, CodingKey { case market }

    /// Makes a block of a market.
    public init(market: String, block: Block) {
        self.market = market
        self.block = block
    }

    /// Reads the block's keys and `market` from one object.
    public init(from decoder: any Decoder) throws {
        market = try decoder.container(keyedBy: CodingKeys.self)
            .decode(String.self, forKey: .market)
        block = try Block(from: decoder)
    }
}
