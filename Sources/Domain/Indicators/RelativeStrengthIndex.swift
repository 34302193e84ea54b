/// The relative strength index (RSI) of a series of prices, with Wilder's smoothing.
///
/// Rises and falls are averaged separately. The first averages are the means of the first `window`
/// changes; each further one is ((`window` − 1) × average + change) ÷ `window`. The index is
/// 100 × rises ÷ (rises + falls). Source: `docs/indicators.md`.
///
/// The averages keep 108 significant bits, however small they become: prices that stand still
/// change no index. They are kept as `window` times the average, so that changes are not divided.
public struct RelativeStrengthIndex: Sendable, Hashable {
    /// The window in changes, 1...10,000.
    public let window: Int
    /// Changes until the first index.
    private var missingCount: Int
    private var last: FixedDecimal?
    /// Smoothed rises and falls, `window` times the average, in units × 2^`shift`.
    private var (rises, falls): (UInt128, UInt128) = (0, 0)
    private var shift = 0

    /// Makes an index of no prices.
    ///
    /// - Precondition: the window is 1...10,000.
    public init(window: Int = 14) {
        precondition((1...10_000).contains(window), "a window has 1 to 10,000 changes")
        self.window = window
        missingCount = window
    }

    /// The index of the prices so far, 0...100, rounded half-even to 18 fraction digits; nil for
    /// fewer than ``window`` changes, and while the price has never changed.
    public var value: FixedDecimal? {
        guard missingCount == 0, rises + falls > 0 else { return nil }
        // Both fit: a sum has 111 bits, a hundred times the rises 117.
        let hundredfold = FixedDecimal(units: Int128(rises * 100))
        let total = FixedDecimal(units: Int128(rises + falls))
        return try? hundredfold.divided(by: total, rounding: .halfEven)
    }

    /// Adds the next price.
    ///
    /// - Returns: ``value``.
    @discardableResult
    public mutating func add(_ price: FixedDecimal) -> FixedDecimal? {
        defer { last = price }
        guard let last else { return nil }
        if missingCount > 0 {
            missingCount -= 1
        } else {
            rises = decayed(rises)
            falls = decayed(falls)
        }
        let change = price.units &- last.units
        makeRoom(for: change.magnitude)
        if change > 0 { rises += change.magnitude << shift }
        if change < 0 { falls += change.magnitude << shift }
        normalize()
        return value
    }

    private func decayed(_ sum: UInt128) -> UInt128 {
        let divisor = UInt128(window)
        let (quotient, remainder) = (sum * (divisor - 1)).quotientAndRemainder(dividingBy: divisor)
        return FixedDecimal.rounded(
            quotient,
            remainder: remainder,
            divisor: divisor,
            .halfEven
        )
    }

    /// Bits that a sum leaves free, for a product with the window and for a change.
    private static let freeBits = 18

    /// Lowers the scale until a change fits it.
    private mutating func makeRoom(for change: UInt128) {
        if change == 0 { return }
        let shiftMax = change.leadingZeroBitCount - Self.freeBits
        if shift > shiftMax { rescale(by: shiftMax - shift) }
    }

    /// Chooses the scale at which the larger sum leaves ``freeBits`` free.
    private mutating func normalize() {
        let larger = max(rises, falls)
        if larger == 0 {
            shift = 0
        } else {
            rescale(by: larger.leadingZeroBitCount - Self.freeBits)
        }
    }

    private mutating func rescale(by bits: Int) {
        rises <<= bits
        falls <<= bits
        shift += bits
    }
}
