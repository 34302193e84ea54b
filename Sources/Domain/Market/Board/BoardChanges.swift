/// The facets of a market that an event may change.
public struct MarketFacets: OptionSet, Sendable, Hashable {
    /// One bit each.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The price, or its time.
    public static let price = MarketFacets(rawValue: 1)
    /// The base of a change.
    public static let change = MarketFacets(rawValue: 2)
    /// The turnover of 24 hours.
    public static let tradeValue = MarketFacets(rawValue: 4)
    /// Whether the market trades.
    public static let trading = MarketFacets(rawValue: 8)
    /// The market is new on the board.
    public static let listed = MarketFacets(rawValue: 16)
    /// The order book.
    public static let book = MarketFacets(rawValue: 32)
    /// The tape of trades.
    public static let trades = MarketFacets(rawValue: 64)
    /// The candles, the day's figures or the strength of trades.
    public static let figures = MarketFacets(rawValue: 128)
}

/// What a batch of events changed on a board.
public struct BoardChanges: Sendable, Hashable {
    /// The facets that changed, by market.
    public var markets: [MarketID: MarketFacets] = [:]
    /// Whether the state of the feed of details changed.
    public var details = false
    /// Whether names, warnings, deposits or withdrawals changed.
    public var reference = false
    /// Whether the state of the feed changed, its times and its count of frames aside.
    public var feed = false

    /// No change.
    public init() {}

    /// Whether nothing visible changed.
    public var isEmpty: Bool { markets.isEmpty && !feed && !details && !reference }
}
