/// An interval longer than one minute whose candles a store builds from one minute candles.
public enum RolledInterval: String, Sendable, Hashable, CaseIterable {
    /// Three minutes.
    case minutes3 = "3m"
    /// Five minutes.
    case minutes5 = "5m"
    /// Ten minutes.
    case minutes10 = "10m"
    /// Half an hour.
    case minutes30 = "30m"
    /// One hour.
    case hour1 = "1h"
    /// Six hours, aligned to 00:00 in Seoul.
    case hours6 = "6h"
    /// Twelve hours, aligned to 00:00 in Seoul.
    case hours12 = "12h"
    /// A day in Seoul.
    case day1 = "24h"

    /// The interval they are built from.
    public static let source = "1m"

    /// The length of a bucket, in microseconds.
    public var microseconds: Int64 {
        let minute: Int64 = 60_000_000
        return switch self {
        case .minutes3: 3 * minute
        case .minutes5: 5 * minute
        case .minutes10: 10 * minute
        case .minutes30: 30 * minute
        case .hour1: 60 * minute
        case .hours6: 360 * minute
        case .hours12: 720 * minute
        case .day1: 1_440 * minute
        }
    }

    /// The open time of the bucket around a moment of the years 1 to 9999.
    ///
    /// - Parameter moment: microseconds since 1970 UTC.
    /// - Returns: microseconds since 1970 UTC. Every bucket fits into a day of Seoul, which begins
    ///   at 15:00 UTC.
    public func bucketStart(of moment: Int64) -> Int64 {
        let remainder = (moment + Self.seoulOffset) % microseconds
        return moment - (remainder < 0 ? remainder + microseconds : remainder)
    }

    /// The whole buckets within spans that have closed by a moment.
    ///
    /// - Parameters:
    ///   - spans: times of the years 1 to 9999, disjoint.
    ///   - until: the moment.
    /// - Returns: ranges of consecutive buckets, in order of time.
    public func wholeBuckets(
        in spans: [StoredCandlesDTO.Span],
        closedBy until: Int64
    ) -> [StoredCandlesDTO.Span] {
        spans.compactMap { span in
            let start = bucketStart(of: span.from)
            let from = start == span.from ? start : start + microseconds
            let to = bucketStart(of: Swift.min(span.to, until))
            return from < to ? StoredCandlesDTO.Span(from: from, to: to) : nil
        }
    }

    /// Nine hours, all year, in microseconds.
    private static let seoulOffset: Int64 = 9 * 3_600_000_000
}
