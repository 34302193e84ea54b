/// The exponential moving average (EMA) of a series of values.
///
/// The first value is the mean of the first `window` values; each further one moves the average by
/// 2 ÷ (`window` + 1) of the distance to it. Both steps round half-even to 18 fraction digits, so
/// an average differs from the exact one by less than `window` × 10⁻¹⁸. Values above 10¹⁸ are not
/// supported. Source: `docs/indicators.md`.
public struct ExponentialAverage: Sendable, Hashable {
    /// The window in values, 1...10,000.
    public let window: Int
    /// Values until the first average.
    private var missingCount: Int
    /// The sum of the first values, then the average, in units.
    private var units: Int128 = 0

    /// Makes an average of no values.
    ///
    /// - Precondition: the window is 1...10,000.
    public init(window: Int) {
        precondition((1...10_000).contains(window), "a window has 1 to 10,000 values")
        self.window = window
        missingCount = window
    }

    /// The average of the values so far; nil for fewer than ``window``.
    public var value: FixedDecimal? { missingCount == 0 ? FixedDecimal(units: units) : nil }

    /// Adds the next value.
    ///
    /// - Returns: ``value``.
    @discardableResult
    public mutating func add(_ value: FixedDecimal) -> FixedDecimal? {
        if missingCount > 0 {
            missingCount -= 1
            units &+= value.units
            if missingCount == 0 { units = FixedDecimal.mean(ofSum: units, count: window).units }
        } else {
            let twice = (value.units &- units) &* 2
            units &+= FixedDecimal.mean(ofSum: twice, count: window + 1).units
        }
        return self.value
    }
}
