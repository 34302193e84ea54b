/// Bollinger bands: a moving average and the prices a number of standard deviations beside it.
public struct BollingerBands: Sendable, Hashable {
    /// The average plus the deviations.
    public let upper: FixedDecimal
    /// The moving average.
    public let middle: FixedDecimal
    /// The average minus the deviations; may be negative.
    public let lower: FixedDecimal
}

extension CandleSeries {
    /// The bands of the closes of the `window` candles up to and including an index.
    ///
    /// The middle is ``average(_:window:at:)``. The standard deviation is that of the population
    /// (divided by `window`, not `window` − 1), around the middle, truncated to 18 fraction digits.
    /// Runs in the time of the window. Closes above 10¹⁸ are not supported. Source:
    /// `docs/indicators.md`.
    ///
    /// - Parameters:
    ///   - window: the window in candles, at most 10,000.
    ///   - deviations: the distance of the bands in standard deviations.
    ///   - index: the last candle of the window.
    /// - Returns: the bands; nil before index `window` − 1.
    public func bollingerBands(
        window: Int = 20,
        deviations: Int = 2,
        at index: Int
    ) -> BollingerBands? {
        guard let middle = average(.close, window: window, at: index) else { return nil }
        let closes = self[(index - window + 1)...index].lazy.map(\.close)
        return BollingerBands(middle: middle, closes: closes, deviations: deviations)
    }
}

extension BollingerBands {
    /// The bands of the last `window` closes; nil for fewer.
    init?(closes: ArraySlice<FixedDecimal>, window: Int, deviations: Int) {
        guard closes.count >= window else { return nil }
        let last = closes.suffix(window)
        let sum = last.reduce(into: Int128(0)) { $0 &+= $1.units }
        let middle = FixedDecimal.mean(ofSum: sum, count: window)
        self.init(middle: middle, closes: last, deviations: deviations)
    }

    /// The bands of closes around their mean.
    fileprivate init(middle: FixedDecimal, closes: some Collection<FixedDecimal>, deviations: Int) {
        var squares = SquareSum()
        for close in closes { squares.add((close.units &- middle.units).magnitude) }
        let distance = Int128(squares.rootOfMean(count: closes.count)) &* Int128(deviations)
        self.init(
            upper: FixedDecimal(units: middle.units &+ distance),
            middle: middle,
            lower: FixedDecimal(units: middle.units &- distance)
        )
    }
}

/// A sum of squares in 256 bits.
struct SquareSum {
    private var high: UInt128 = 0
    private var low: UInt128 = 0

    /// Adds the square of a number; the sum must stay below 2²⁵⁶.
    mutating func add(_ number: UInt128) {
        let square = number.multipliedFullWidth(by: number)
        let (sum, carry) = low.addingReportingOverflow(square.low)
        low = sum
        high += square.high + (carry ? 1 : 0)
    }

    /// The square root of the sum divided by `count`, truncated to a whole number.
    func rootOfMean(count: Int) -> UInt128 {
        let divisor = UInt128(count)
        let (meanHigh, rest) = high.quotientAndRemainder(dividingBy: divisor)
        let meanLow = divisor.dividingFullWidth((rest, low)).quotient
        // A root has half of the bits of its square; it is found bit by bit from the highest.
        let zeros =
            meanHigh == 0
            ? 128 + meanLow.leadingZeroBitCount : meanHigh.leadingZeroBitCount
        var root: UInt128 = 0
        for bit in stride(from: (255 - zeros) / 2, through: 0, by: -1) where zeros < 256 {
            let candidate = root | 1 << UInt128(bit)
            let square = candidate.multipliedFullWidth(by: candidate)
            if (square.high, square.low) <= (meanHigh, meanLow) { root = candidate }
        }
        return root
    }
}
