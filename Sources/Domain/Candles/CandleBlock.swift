/// A stretch of past buckets of one interval that is read and kept as a whole.
///
/// Blocks lie on a grid, so that all readers of a time share them.
public struct CandleBlock: Sendable, Hashable {
    /// The interval.
    public let interval: CandleInterval
    /// When the first bucket opens.
    public let start: Timestamp

    /// The start of the exchange's first year: no market has older candles.
    private static let exchangeStart = SeoulTime.timestamp(year: 2014, month: 1, day: 1)
    /// Where the grid begins.
    private static let origin = Timestamp(microseconds: 0)

    /// The block around a moment.
    public init(_ interval: CandleInterval, around moment: Timestamp) {
        self.interval = interval
        let count = Int64(interval.bucketCount(from: Self.origin, to: moment))
        let size = Self.bucketCount(of: interval)
        let number = Int(count.floorDivided(by: Int64(size)))
        start = interval.advanced(Self.origin, by: number * size)
    }

    /// When the first bucket behind the block opens.
    public var end: Timestamp { interval.advanced(start, by: Self.bucketCount(of: interval)) }

    /// How many buckets a block has: at most six pages of the exchange's rows.
    public static func bucketCount(of interval: CandleInterval) -> Int {
        switch interval {
        case .minute1, .minutes3, .minutes5, .minutes10, .minutes30, .hour1, .day1: 600
        case .hours6: 200
        case .hours12, .week1: 100
        case .month1: 24
        }
    }

    /// The blocks of the newest buckets, the newest first.
    ///
    /// One bucket more than wanted, for readers whose clock is a moment behind.
    ///
    /// - Parameters:
    ///   - interval: the interval.
    ///   - count: the number of buckets, of which the last one is running.
    ///   - now: the time of the exchange.
    /// - Returns: the blocks.
    public static func newest(
        of interval: CandleInterval,
        count: Int,
        at now: Timestamp
    ) -> [CandleBlock] {
        let start = interval.advanced(now, by: -max(count, 0))
        return blocks(of: interval, in: start..<interval.nextBucket(after: now))
    }

    /// The blocks that a span touches, the newest first; none before the exchange existed.
    public static func blocks(
        of interval: CandleInterval,
        in span: Range<Timestamp>
    ) -> [CandleBlock] {
        guard span.lowerBound < span.upperBound, exchangeStart < span.upperBound else { return [] }
        let newest = span.upperBound.advanced(by: .microseconds(-1))
        let oldest = CandleBlock(interval, around: max(span.lowerBound, exchangeStart))
        var blocks = [CandleBlock(interval, around: newest)]
        while let block = blocks.last, block.start > oldest.start {
            blocks.append(
                CandleBlock(interval, around: interval.previousBucket(before: block.start))
            )
        }
        return blocks
    }
}
