/// Kinds of stream frames.
///
/// API 1.x has five ticker periods, transactions, and two kinds of order books; API 2.x has
/// tickers, trades and order books, each in two formats.
struct FrameKinds: OptionSet, Sendable, Hashable {
    let rawValue: UInt16

    static let transaction = FrameKinds(rawValue: 1 << 5)
    static let depth = FrameKinds(rawValue: 1 << 6)
    static let snapshot = FrameKinds(rawValue: 1 << 7)
    /// An order book of API 2.x; its view says which.
    static let marketBook = FrameKinds(rawValue: 1 << 12)
    /// The kinds of API 2.x that result from trades.
    static let ofMarketTrades = FrameKinds(rawValue: 0b1111 << 8)
    /// The kinds of API 1.x that result from trades.
    static let ofTrades = FrameKinds(rawValue: 0b11_1111)
    /// The kinds of API 1.x that describe order books.
    static let ofBooks: FrameKinds = [.depth, .snapshot]

    static func ticker(_ period: TickerPeriod) -> FrameKinds {
        FrameKinds(rawValue: 1 << UInt16(period.index))
    }

    /// A ticker of API 2.x.
    static func marketTicker(_ format: MarketFrameFormat) -> FrameKinds {
        FrameKinds(rawValue: format == .full ? 1 << 8 : 1 << 9)
    }

    /// A trade of API 2.x.
    static func marketTrade(_ format: MarketFrameFormat) -> FrameKinds {
        FrameKinds(rawValue: format == .full ? 1 << 10 : 1 << 11)
    }

    /// Number of kinds in the set.
    var count: Int { rawValue.nonzeroBitCount }
}
