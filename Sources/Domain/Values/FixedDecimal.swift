/// An exact decimal number with 18 fraction digits: every price, quantity, rate and amount.
///
/// The value is `units` × 10⁻¹⁸ in 128 bits, so the range is about ±1.7 × 10²⁰. Sums and
/// differences are exact or fail; products and quotients go through 256-bit intermediates and
/// state their rounding. Nothing here ever passes through a binary fraction.
public struct FixedDecimal: Sendable, Hashable {
    /// How many digits stand behind the decimal point.
    public static let fractionDigits = 18
    /// The `units` of the number one.
    public static let unitsPerOne: Int128 = 1_000_000_000_000_000_000
    /// Zero.
    public static let zero = FixedDecimal(units: 0)
    /// One.
    public static let one = FixedDecimal(units: unitsPerOne)

    /// The value in units of 10⁻¹⁸.
    public let units: Int128

    /// Makes a number from its units of 10⁻¹⁸.
    public init(units: Int128) {
        self.units = units
    }

    /// Makes a whole number; every `Int64` fits.
    public init(_ integer: Int64) {
        units = Int128(integer) * Self.unitsPerOne
    }

    /// Whether the value is zero, whatever its spelling was.
    public var isZero: Bool { units == 0 }

    /// −1, 0 or 1.
    public var sign: Int { units == 0 ? 0 : (units < 0 ? -1 : 1) }
}

/// How the last kept digit is chosen when digits must go.
public enum DecimalRounding: Sendable, Hashable {
    /// To the nearest; a half goes to the even neighbour.
    case halfEven
    /// To the nearest; a half goes away from zero, as the exchange prints its rates.
    case halfAwayFromZero
    /// Towards zero.
    case truncate
    /// Away from zero.
    case awayFromZero
}

/// Why a number could not be made.
public enum FixedDecimalError: Error, Sendable, Hashable {
    /// The text is not a number; the offset counts bytes from zero.
    case notANumber(offset: Int)
    /// The value lies beyond what 128 bits with 18 fraction digits hold.
    case overflow
    /// A division by zero.
    case divisionByZero
}

extension FixedDecimal: Comparable {
    /// Numeric order.
    public static func < (left: FixedDecimal, right: FixedDecimal) -> Bool {
        left.units < right.units
    }
}
