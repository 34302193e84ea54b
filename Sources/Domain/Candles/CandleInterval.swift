/// Length of a candle's bucket.
///
/// Buckets follow the calendar of Asia/Seoul: days start at 00:00, weeks on Monday, months on the
/// 1st. Six and twelve hours count from the start of the day.
public enum CandleInterval: String, Sendable, Hashable, CaseIterable {
    /// One minute.
    case minute1 = "1m"
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
    /// Six hours.
    case hours6 = "6h"
    /// Twelve hours.
    case hours12 = "12h"
    /// A day in Seoul.
    case day1 = "24h"
    /// A week from Monday.
    ///
    /// The exchange serves none, so it is built from days.
    case week1 = "1w"
    /// A month.
    ///
    /// The exchange serves none, so it is built from days.
    case month1 = "1mo"

    /// The interval requested from the exchange to build this one.
    public var served: CandleInterval {
        switch self {
        case .week1, .month1: .day1
        case .minute1, .minutes3, .minutes5, .minutes10, .minutes30, .hour1, .hours6, .hours12,
            .day1:
            self
        }
    }
}

extension CandleInterval {
    /// Offset of six and twelve hour buckets from 00:00 in Seoul.
    ///
    /// Zero until closed rows of the exchange show another phase.
    public static let hoursPhase: Duration = .zero

    /// Start of the bucket that contains a moment.
    public func bucketStart(of moment: Timestamp) -> Timestamp {
        switch grid {
        case .even(let unit, let origin):
            let into = moment.microseconds.floorRemainder(by: unit)
            let phase = origin.floorRemainder(by: unit)
            let elapsed = into >= phase ? into - phase : into - phase + unit
            return moment.saturatingAdvanced(by: 0 - elapsed)
        case .months:
            let (year, month, _) = SeoulTime(moment).civil
            return Self.startOfMonth(year * 12 + month - 1)
        }
    }

    /// Start of the next bucket.
    public func nextBucket(after openTime: Timestamp) -> Timestamp {
        advanced(openTime, by: 1)
    }

    /// Start of the previous bucket.
    public func previousBucket(before openTime: Timestamp) -> Timestamp {
        advanced(openTime, by: -1)
    }

    /// Start of the bucket a number of buckets later, or earlier if negative.
    ///
    /// - Parameters:
    ///   - openTime: start of a bucket; any other moment counts as the start of its bucket.
    ///   - buckets: number of buckets to move.
    /// - Returns: a moment on the grid, clamped to the range of `Timestamp`.
    public func advanced(_ openTime: Timestamp, by buckets: Int) -> Timestamp {
        let start = bucketStart(of: openTime)
        switch grid {
        case .even(let unit, _):
            let (way, overflow) = unit.multipliedReportingOverflow(by: Int64(buckets))
            if overflow { return Timestamp(microseconds: buckets < 0 ? .min : .max) }
            return start.saturatingAdvanced(by: way)
        case .months:
            let (year, month, _) = SeoulTime(start).civil
            let (ordinal, overflow) = (year * 12 + month - 1).addingReportingOverflow(buckets)
            return Self.startOfMonth(overflow ? (buckets < 0 ? .min : .max) : ordinal)
        }
    }

    /// Number of buckets from the bucket of `earlier` to the bucket of `later`; negative if it is
    /// before.
    public func bucketCount(from earlier: Timestamp, to later: Timestamp) -> Int {
        ordinal(of: later) - ordinal(of: earlier)
    }
}

extension CandleInterval {
    private enum Grid {
        /// Buckets of `unit` microseconds, one of which opens at `origin`.
        case even(unit: Int64, origin: Int64)
        /// Calendar months.
        case months
    }

    private static let minute: Int64 = 60_000_000
    /// 1970-01-01 was a Thursday; the Monday of that week is three days earlier.
    private static let firstMonday = -3
    /// Months that begin within the range of `Timestamp`: 292,000 years either way.
    private static let monthOrdinals: ClosedRange<Int> = {
        let ends = [Int64.min, .max].map {
            CandleInterval.month1.ordinal(of: Timestamp(microseconds: $0))
        }
        return ends[0] + 1...ends[1]
    }()

    private var grid: Grid {
        let hour = 60 * Self.minute
        let midnight = SeoulTime.startOfDay(0).microseconds
        let phased = midnight + Self.hoursPhase.wholeMicroseconds
        return switch self {
        case .minute1: .even(unit: Self.minute, origin: midnight)
        case .minutes3: .even(unit: 3 * Self.minute, origin: midnight)
        case .minutes5: .even(unit: 5 * Self.minute, origin: midnight)
        case .minutes10: .even(unit: 10 * Self.minute, origin: midnight)
        case .minutes30: .even(unit: 30 * Self.minute, origin: midnight)
        case .hour1: .even(unit: hour, origin: midnight)
        case .hours6: .even(unit: 6 * hour, origin: phased)
        case .hours12: .even(unit: 12 * hour, origin: phased)
        case .day1: .even(unit: 24 * hour, origin: midnight)
        case .week1:
            .even(
                unit: 7 * 24 * hour,
                origin: SeoulTime.startOfDay(Self.firstMonday).microseconds
            )
        case .month1: .months
        }
    }

    /// Number of a moment's bucket, counted from near 1970; months count from year 0.
    private func ordinal(of moment: Timestamp) -> Int {
        switch grid {
        case .even(let unit, let origin):
            // The difference itself could overflow, its two parts cannot.
            let whole =
                moment.microseconds.floorDivided(by: unit) - origin.floorDivided(by: unit)
            let isBeforePhase =
                moment.microseconds.floorRemainder(by: unit) < origin.floorRemainder(by: unit)
            return Int(whole) - (isBeforePhase ? 1 : 0)
        case .months:
            let (year, month, _) = SeoulTime(moment).civil
            return year * 12 + month - 1
        }
    }

    private static func startOfMonth(_ ordinal: Int) -> Timestamp {
        guard monthOrdinals.contains(ordinal) else {
            return Timestamp(microseconds: ordinal < 0 ? .min : .max)
        }
        let year = Int(Int64(ordinal).floorDivided(by: 12))
        return SeoulTime.timestamp(year: year, month: ordinal - year * 12 + 1, day: 1)
    }
}

extension Int64 {
    /// Remainder of ``floorDivided(by:)``: never negative for a positive divisor.
    fileprivate func floorRemainder(by divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension Timestamp {
    /// The moment advanced by `distance` microseconds, clamped to the range.
    fileprivate func saturatingAdvanced(by distance: Int64) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(distance)
        return Timestamp(microseconds: overflow ? (distance < 0 ? .min : .max) : sum)
    }
}

extension CandleInterval {
    /// How long a store keeps candles; nil for forever.
    ///
    /// One minute candles of all markets are 700,000 rows a day, and old ones are never requested.
    public var retentionPeriod: Duration? {
        let day: Duration = .seconds(86_400)
        return switch self {
        case .minute1: day * 30
        case .minutes3, .minutes5, .minutes10, .minutes30: day * 180
        case .hour1, .hours6, .hours12, .day1, .week1, .month1: nil
        }
    }
}
