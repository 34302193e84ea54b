/// Moving average convergence/divergence (MACD) of a series of prices.
///
/// The indicator consists of ``ExponentialAverage``s, each of which begins with the mean of its own
/// values.
/// Source: `docs/indicators.md`.
public struct MACD: Sendable, Hashable {
    /// The indicator behind one price.
    public struct Value: Sendable, Hashable {
        /// The fast average minus the slow one.
        public let line: FixedDecimal
        /// The average of the line; nil for too few values of the line.
        public let signal: FixedDecimal?
        /// The line minus the signal.
        public let histogram: FixedDecimal?
    }

    private var fast: ExponentialAverage
    private var slow: ExponentialAverage
    private var signal: ExponentialAverage

    /// Makes the indicator of no prices; windows in prices, those of the signal in values.
    ///
    /// - Precondition: the windows are 1...10,000.
    public init(fast: Int = 12, slow: Int = 26, signal: Int = 9) {
        self.fast = ExponentialAverage(window: fast)
        self.slow = ExponentialAverage(window: slow)
        self.signal = ExponentialAverage(window: signal)
    }

    /// Adds the next price.
    ///
    /// - Returns: nil until both averages of prices are known.
    @discardableResult
    public mutating func add(_ price: FixedDecimal) -> Value? {
        let (fast, slow) = (fast.add(price), slow.add(price))
        guard let fast, let slow else { return nil }
        let line = FixedDecimal(units: fast.units &- slow.units)
        let signal = signal.add(line)
        return Value(
            line: line,
            signal: signal,
            histogram: signal.map { FixedDecimal(units: line.units &- $0.units) }
        )
    }
}
