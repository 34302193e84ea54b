/// An exact decimal number with 18 fraction digits: every price, quantity, rate and amount.
///
/// The value is `units` × 10⁻¹⁸ in 128 bits, a range of about ±1.7 × 10²⁰. Sums and differences are
/// exact or throw. Products and quotients use 256-bit intermediates and an explicit rounding. No
/// value passes through a binary fraction.
public struct FixedDecimal: Sendable, Hashable {
    /// Number of digits after the decimal point.
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

    /// Whether the value is zero.
    public var isZero: Bool { units == 0 }

    /// −1, 0 or 1.
    public var sign: Int { units == 0 ? 0 : (units < 0 ? -1 : 1) }
}

/// Rounding rule for dropped digits.
public enum DecimalRounding: Sendable, Hashable {
    /// To nearest; halves to even.
    case halfEven
    /// To nearest; halves away from zero, as the exchange prints its rates.
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
    /// The value does not fit in 128 bits with 18 fraction digits.
    case overflow
    /// Division by zero.
    case divisionByZero
}

extension FixedDecimal: Comparable {
    /// Numeric order.
    public static func < (left: FixedDecimal, right: FixedDecimal) -> Bool {
        left.units < right.units
    }
}
