extension FixedDecimal {
    /// Parses a number: an optional sign, digits with an optional point, an optional exponent.
    ///
    /// `"143210000"`, `".9159"`, `"-0"`, `"1.4E-7"` and `"8.428e-05"` are numbers; `""`, `"."`,
    /// `"1,000"`, `" 1"`, `"NaN"` and `"0x1"` are not. Digits after the eighteenth fraction digit
    /// are rounded half-even. Up to 38 digits fit, not counting leading zeros.
    ///
    /// - Throws: `notANumber`, `overflow`.
    public init(parsing text: String) throws(FixedDecimalError) {
        var reader = DecimalParser()
        var offset = 0
        for byte in text.utf8 {
            try reader.read(byte, at: offset)
            offset += 1
        }
        let (magnitude, isNegative, scale) = try reader.finish(at: offset)
        try self.init(magnitude: magnitude, scale: scale, isNegative: isNegative)
    }

    /// Makes `mantissa` × 10^−`scale`, rounded half-even to 18 fraction digits.
    ///
    /// - Throws: `overflow`.
    public init(mantissa: Int128, scale: Int) throws(FixedDecimalError) {
        try self.init(magnitude: mantissa.magnitude, scale: scale, isNegative: mantissa < 0)
    }

    private init(
        magnitude: UInt128,
        scale: Int,
        isNegative: Bool
    ) throws(FixedDecimalError) {
        if magnitude == 0 {
            self = .zero
            return
        }
        // Nearly every number on the wire: below 2⁶⁴ × 10¹⁸, so the product cannot overflow.
        if (0...Self.fractionDigits).contains(scale), let digits = UInt64(exactly: magnitude) {
            let product = digits.multipliedFullWidth(
                by: Self.smallPowersOfTen[Self.fractionDigits - scale]
            )
            let units = Int128(product.high) << 64 | Int128(product.low)
            self.init(units: isNegative ? 0 &- units : units)
            return
        }
        if scale <= Self.fractionDigits {
            let (shift, shiftOverflow) = Self.fractionDigits.subtractingReportingOverflow(scale)
            guard !shiftOverflow, shift <= 38 else { throw .overflow }
            let (units, overflow) = magnitude.multipliedReportingOverflow(
                by: Self.powerOfTen(shift)
            )
            if overflow { throw .overflow }
            try self.init(magnitude: units, isNegative: isNegative)
        } else {
            let shift = scale - Self.fractionDigits
            // 128 bits hold less than 3.5 × 10³⁸: a shift by 39 digits leaves less than a half.
            guard shift <= 38 else {
                self = .zero
                return
            }
            let divisor = Self.powerOfTen(shift)
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: divisor)
            let kept = Self.rounded(quotient, remainder: remainder, divisor: divisor, .halfEven)
            try self.init(magnitude: kept, isNegative: isNegative)
        }
    }

    /// 10 to the power of 0...18, each within 64 bits.
    private static let smallPowersOfTen: [UInt64] = [
        1,
        10,
        100,
        1_000,
        10_000,
        100_000,
        1_000_000,
        10_000_000,
        100_000_000,
        1_000_000_000,
        10_000_000_000,
        100_000_000_000,
        1_000_000_000_000,
        10_000_000_000_000,
        100_000_000_000_000,
        1_000_000_000_000_000,
        10_000_000_000_000_000,
        100_000_000_000_000_000,
        1_000_000_000_000_000_000,
    ]

    /// The canonical spelling: a digit before the point, no exponent, no trailing zeros, zero
    /// without a sign.
    public var canonicalText: String {
        String(decoding: canonicalUTF8, as: UTF8.self)
    }

    /// The bytes of ``canonicalText``.
    public var canonicalUTF8: [UInt8] {
        var bytes: [UInt8] = []
        appendText(to: &bytes, fractionDigitsMin: 0)
        return bytes
    }

    /// Appends the digits with at least `fractionDigitsMin` fraction digits, more if the value
    /// needs them.
    ///
    /// A `separator` is inserted between groups of three digits before the point.
    public func appendText(
        to bytes: inout [UInt8],
        fractionDigitsMin: Int,
        separator: UInt8? = nil
    ) {
        if units < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, fraction) = units.magnitude.quotientAndRemainder(
            dividingBy: Self.unitsPerOne.magnitude
        )
        // Both parts fit 64 and 68 bits: the whole part is below 1.7 × 10²⁰.
        Self.appendWhole(whole, separator: separator, to: &bytes)
        var digitCount = fraction == 0 ? 0 : significantFractionDigits
        digitCount = max(digitCount, min(fractionDigitsMin, Self.fractionDigits))
        guard digitCount > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        // The fraction is below 10¹⁸ and so fits 64 bits.
        var rest = UInt64(truncatingIfNeeded: fraction)
        for _ in digitCount..<Self.fractionDigits { rest /= 10 }
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digitCount))
        var position = start + digitCount - 1
        while rest > 0 {
            bytes[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            position -= 1
        }
    }

    private static func appendWhole(_ whole: UInt128, separator: UInt8?, to bytes: inout [UInt8]) {
        let start = bytes.count
        var digits = 0
        // Above 64 bits there is at most one pass through the slow division.
        var high = whole
        while high > UInt128(UInt64.max) {
            appendDigit(UInt8(truncatingIfNeeded: high % 10), &digits, separator, &bytes)
            high /= 10
        }
        var rest = UInt64(truncatingIfNeeded: high)
        repeat {
            appendDigit(UInt8(truncatingIfNeeded: rest % 10), &digits, separator, &bytes)
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private static func appendDigit(
        _ digit: UInt8,
        _ digits: inout Int,
        _ separator: UInt8?,
        _ bytes: inout [UInt8]
    ) {
        if let separator, digits > 0, digits % 3 == 0 { bytes.append(separator) }
        bytes.append(UInt8(ascii: "0") + digit)
        digits += 1
    }
}

extension FixedDecimal: CustomStringConvertible {
    /// The canonical spelling.
    public var description: String { canonicalText }
}
