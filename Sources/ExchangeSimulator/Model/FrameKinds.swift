/// Kinds of stream frames: five ticker periods and transactions.
struct FrameKinds: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let transaction = FrameKinds(rawValue: 1 << 5)
    static let all = FrameKinds(rawValue: 0b11_1111)

    static func ticker(_ period: TickerPeriod) -> FrameKinds {
        FrameKinds(rawValue: 1 << UInt8(period.index))
    }

    /// How many kinds these are.
    var count: Int { rawValue.nonzeroBitCount }
}
