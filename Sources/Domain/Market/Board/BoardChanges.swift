/// The parts of a market that an event may change.
public struct MarketFacets: OptionSet, Sendable, Hashable {
    /// One bit each.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The price or its time.
    public static let price = MarketFacets(rawValue: 1)
    /// The price change.
    public static let change = MarketFacets(rawValue: 2)
    /// The 24-hour turnover.
    public static let tradeValue = MarketFacets(rawValue: 4)
    /// Whether the market is trading.
    public static let trading = MarketFacets(rawValue: 8)
    /// The market is new on the board.
    public static let listed = MarketFacets(rawValue: 16)
    /// The order book.
    public static let book = MarketFacets(rawValue: 32)
    /// The trade tape.
    public static let trades = MarketFacets(rawValue: 64)
    /// Candles, day statistics, the day's prices or trade strength.
    public static let figures = MarketFacets(rawValue: 128)
}

/// The changes that a batch of events made to a board.
public struct BoardChanges: Sendable, Hashable {
    /// Changed parts by market.
    public var markets: [MarketID: MarketFacets] = [:]
    /// Whether the state of the detail feed changed.
    public var details = false
    /// Whether names, warnings, deposits or withdrawals changed.
    public var reference = false
    /// Whether the state of the feed changed, apart from times and frame counts.
    public var feed = false

    /// No change.
    public init() {}

    /// Whether nothing visible changed.
    public var isEmpty: Bool { markets.isEmpty && !feed && !details && !reference }
}
