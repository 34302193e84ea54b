/// Kinds of stream frames: five ticker periods, transactions, and two of order books.
struct FrameKinds: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let transaction = FrameKinds(rawValue: 1 << 5)
    static let depth = FrameKinds(rawValue: 1 << 6)
    static let snapshot = FrameKinds(rawValue: 1 << 7)
    /// The kinds that result from trades.
    static let ofTrades = FrameKinds(rawValue: 0b11_1111)
    /// The kinds that describe order books.
    static let ofBooks: FrameKinds = [.depth, .snapshot]

    static func ticker(_ period: TickerPeriod) -> FrameKinds {
        FrameKinds(rawValue: 1 << UInt8(period.index))
    }

    /// Number of kinds in the set.
    var count: Int { rawValue.nonzeroBitCount }
}
