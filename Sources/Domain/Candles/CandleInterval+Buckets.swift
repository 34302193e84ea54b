extension CandleInterval {
    /// Where the six and twelve hour buckets begin on the Seoul day: at 00:00, until the closed
    /// rows of the exchange show another phase.
    public static let hoursPhase: Duration = .zero

    /// When the bucket opens that a moment lies in.
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

    /// When the bucket opens that follows the one opening at `openTime`.
    public func nextBucket(after openTime: Timestamp) -> Timestamp {
        advanced(openTime, by: 1)
    }

    /// When the bucket opens that precedes the one opening at `openTime`.
    public func previousBucket(before openTime: Timestamp) -> Timestamp {
        advanced(openTime, by: -1)
    }

    /// When the bucket opens that is so many buckets later; earlier if the number is negative.
    ///
    /// - Parameters:
    ///   - openTime: when a bucket opens; another moment counts as its bucket's opening.
    ///   - buckets: how many buckets to go.
    /// - Returns: a moment on the grid; cut to the range of moments.
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

    /// How many buckets later the one of `later` opens than the one of `earlier`; negative if it
    /// opens before.
    public func bucketCount(from earlier: Timestamp, to later: Timestamp) -> Int {
        ordinal(of: later) - ordinal(of: earlier)
    }
}

extension CandleInterval {
    private enum Grid {
        /// Buckets of `unit` microseconds, one of which opens at `origin`.
        case even(unit: Int64, origin: Int64)
        /// Civil months.
        case months
    }

    private static let minute: Int64 = 60_000_000
    /// 1970-01-01 was a Thursday: the Monday of that week is three days before.
    private static let firstMonday = -3
    /// The months that begin within the range of moments: 292,000 years either way.
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

    /// The number of a moment's bucket, counted from one near 1970; months from the year 0.
    private func ordinal(of moment: Timestamp) -> Int {
        switch grid {
        case .even(let unit, let origin):
            // The difference itself could leave the range, its two parts cannot.
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
    /// What is left over by ``floorDivided(by:)``: never negative for a positive divisor.
    fileprivate func floorRemainder(by divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension Timestamp {
    /// The moment later by so many microseconds, cut to the range of moments.
    fileprivate func saturatingAdvanced(by distance: Int64) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(distance)
        return Timestamp(microseconds: overflow ? (distance < 0 ? .min : .max) : sum)
    }
}
