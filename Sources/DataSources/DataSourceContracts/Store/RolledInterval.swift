/// An interval of candles longer than one minute that a store makes of those of one minute.
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
    /// Six hours, from 00:00 in Seoul on.
    case hours6 = "6h"
    /// Twelve hours, from 00:00 in Seoul on.
    case hours12 = "12h"
    /// A day of Seoul.
    case day1 = "24h"

    /// The name of the interval that they are made of.
    public static let source = "1m"

    /// How long a bucket is, in microseconds.
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

    /// When the bucket opens that a moment of the years 1 to 9999 lies in.
    ///
    /// - Parameter moment: microseconds since 1970 UTC.
    /// - Returns: likewise. Every bucket fits into a day of Seoul, which begins at 15:00 UTC.
    public func bucketStart(of moment: Int64) -> Int64 {
        let remainder = (moment + Self.seoulOffset) % microseconds
        return moment - (remainder < 0 ? remainder + microseconds : remainder)
    }

    /// The whole buckets within times, that have closed by a moment.
    ///
    /// - Parameters:
    ///   - spans: times of the years 1 to 9999, apart from each other.
    ///   - until: the moment.
    /// - Returns: from where to where they follow each other, in the order of the times.
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
