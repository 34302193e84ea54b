/// The document `market-detail`, version 2: all blocks of one market, from one snapshot.
public typealias MarketDetailDocument = Document<MarketDetailViewState>
/// The document `order-book`, version 1.
public typealias OrderBookDocument = Document<MarketBlockViewState<OrderBookViewState>>
/// The document `trades`, version 1.
public typealias TradesDocument = Document<MarketBlockViewState<TradesViewState>>
/// The document `candles`, version 2.
public typealias CandlesDocument = Document<MarketBlockViewState<ChartViewState>>

/// All blocks of one market.
public struct MarketDetailViewState: StreamedState {
    /// `market-detail`.
    public static let schemaName = "market-detail"
    /// That of its chart.
    public static var schemaVersion: Int { ChartViewState.schemaVersion }

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

    /// The sum of the blocks.
    public var estimatedJSONSize: Int {
        4_096 + orderBook.estimatedJSONSize + trades.estimatedJSONSize + chart.estimatedJSONSize
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("MarketDetailState", "All blocks of one market, from one snapshot.")
        fields.part("header", \.header)
        fields.part("orderBook", \.orderBook)
        fields.part("trades", \.trades)
        fields.part("chart", \.chart)
    }
}

/// A block of a market's detail that has a document of its own.
public protocol DetailBlock: DocumentObject {
    /// The name of the block's own document.
    static var schemaName: String { get }
    /// The version of that document.
    static var schemaVersion: Int { get }
    /// The name of that document's state among OpenAPI's components.
    static var stateName: String { get }

    /// An estimate of the encoded size in bytes.
    var estimatedJSONSize: Int { get }

    /// Keeps the times of an equal health block that is less than a second older.
    mutating func coalesceTimes(of old: Self)
}

extension DetailBlock {
    /// Version 1.
    public static var schemaVersion: Int { 1 }
}

/// A block and its market: the block's members and `market` side by side.
public struct MarketBlockViewState<Block: DetailBlock>: StreamedState {
    /// The block's schema.
    public static var schemaName: String { Block.schemaName }
    /// The block's version.
    public static var schemaVersion: Int { Block.schemaVersion }

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

    /// Reads the block's members and `market` from one object.
    public init(from decoder: any Decoder) throws {
        market = try decoder.container(keyedBy: CodingKeys.self)
            .decode(String.self, forKey: .market)
        block = try Block(from: decoder)
    }

    /// The block's size and the market.
    public var estimatedJSONSize: Int { 64 + block.estimatedJSONSize }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object(Block.stateName, "A block of one market.")
        fields.add("market", \.market, .market)
        fields.inline(\.block)
    }
}
