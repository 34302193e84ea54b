/// The document `market-detail`, version 1: everything of one market, in one cut.
public typealias MarketDetailDocument = Document<MarketDetailViewState>
/// The document `order-book`, version 1.
public typealias OrderBookDocument = Document<MarketBlockViewState<OrderBookViewState>>
/// The document `trades`, version 1.
public typealias TradesDocument = Document<MarketBlockViewState<TradesViewState>>
/// The document `candles`, version 1.
public typealias CandlesDocument = Document<MarketBlockViewState<ChartViewState>>

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

    /// About how many bytes of JSON the block makes.
    var estimatedJSONSize: Int { get }

    /// What a patch may change of the block, by its path.
    static var patchPaths: PatchPaths<Self> { get }

    /// Writes the block's keys and values into an open object.
    func writeMembers(to json: inout JSONWriter)

    /// Takes over the times of an older health that says the same and is hardly older.
    mutating func coalesceTimes(of old: Self)

    /// Divides the block into pieces; `old` is the block of which the writer has them.
    func write(to pieces: inout PartWriter, after old: Self?)
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
