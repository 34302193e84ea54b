/// A moment: microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Exchange times and receive times are both of this type; which one it is, the name of the
/// property says (`executedAt`, `receivedAt`).
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Microseconds since the Unix epoch, UTC.
    public let microseconds: Int64

    /// Makes a moment from Unix microseconds.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes a moment from Unix milliseconds, as REST answers carry them; cut to the range, which
    /// is 292,000 years either way.
    public init(milliseconds: Int64) {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000)
        microseconds = overflow ? (milliseconds < 0 ? .min : .max) : product
    }

    /// The second this moment lies in, counted from the Unix epoch; times before it round down.
    public var second: Int64 {
        microseconds.floorDivided(by: 1_000_000)
    }

    /// The moment later by `duration`, which is cut to whole microseconds.
    public func advanced(by duration: Duration) -> Timestamp {
        Timestamp(microseconds: microseconds &+ duration.wholeMicroseconds)
    }

    /// How long after `earlier` this moment is; negative if before.
    public func duration(since earlier: Timestamp) -> Duration {
        .microseconds(microseconds &- earlier.microseconds)
    }

    /// Order in time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension Duration {
    /// The whole microseconds in this duration.
    public var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
    }
}

extension Int64 {
    /// The quotient rounded towards minus infinity, as calendars count.
    func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
