/// A moment: microseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Exchange times and receive times share this type. Property names tell them apart (`executedAt`,
/// `receivedAt`).
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Microseconds since the Unix epoch, UTC.
    public let microseconds: Int64

    /// Makes a moment from Unix microseconds.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes a moment from Unix milliseconds, as in REST answers; clamped to the range of 292,000
    /// years either way.
    public init(milliseconds: Int64) {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000)
        microseconds = overflow ? (milliseconds < 0 ? .min : .max) : product
    }

    /// The Unix second that contains this moment, rounded down.
    public var second: Int64 {
        microseconds.floorDivided(by: 1_000_000)
    }

    /// The moment later by `duration`, truncated to whole microseconds.
    public func advanced(by duration: Duration) -> Timestamp {
        Timestamp(microseconds: microseconds &+ duration.wholeMicroseconds)
    }

    /// Time since `earlier`; negative if `earlier` is later.
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
    /// The quotient rounded toward minus infinity, as calendars need it.
    func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
