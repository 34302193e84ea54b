import Domain

/// Every value of a signal with the time from which on it was valid, in order.
struct SignalTrail {
    /// A value from a moment on.
    struct Point: Sendable {
        var at: Timestamp
        var value: FixedDecimal
    }

    private(set) var points: [Point] = []

    mutating func append(_ value: FixedDecimal, at: Timestamp) {
        points.append(Point(at: at, value: value))
    }

    /// The place of the newest point at or before a time; nil before the first one.
    func last(notAfter time: Timestamp) -> Int? {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].at <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    /// The first and the last place at which a value was valid about a time; nil if it was not.
    func places(
        of value: FixedDecimal,
        about time: Timestamp,
        within tolerance: Duration
    ) -> ClosedRange<Int>? {
        var place = last(notAfter: time.advanced(by: .zero - tolerance)) ?? 0
        let end = time.advanced(by: tolerance)
        var found: ClosedRange<Int>?
        while place < points.count, points[place].at <= end {
            if points[place].value == value { found = (found?.lowerBound ?? place)...place }
            place += 1
        }
        return found
    }

    /// The values about some places, to read.
    func text(about places: ClosedRange<Int>) -> String {
        points[max(places.lowerBound - 3, 0)..<min(places.upperBound + 3, points.count)]
            .map { "\($0.value) at \($0.at.microseconds)" }.joined(separator: ", ")
    }
}
