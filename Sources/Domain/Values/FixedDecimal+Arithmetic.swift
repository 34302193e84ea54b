extension FixedDecimal {
    /// The exact sum.
    ///
    /// - Throws: `overflow`.
    public static func + (
        left: FixedDecimal,
        right: FixedDecimal
    ) throws(FixedDecimalError) -> FixedDecimal {
        let (sum, overflow) = left.units.addingReportingOverflow(right.units)
        if overflow { throw .overflow }
        return FixedDecimal(units: sum)
    }

    /// The exact difference.
    ///
    /// - Throws: `overflow`.
    public static func - (
        left: FixedDecimal,
        right: FixedDecimal
    ) throws(FixedDecimalError) -> FixedDecimal {
        let (difference, overflow) = left.units.subtractingReportingOverflow(right.units)
        if overflow { throw .overflow }
        return FixedDecimal(units: difference)
    }

    /// The product, rounded once to 18 fraction digits.
    ///
    /// - Throws: `overflow`.
    public func multiplied(
        by other: FixedDecimal,
        rounding: DecimalRounding
    ) throws(FixedDecimalError) -> FixedDecimal {
        try Self.scaled(
            units.magnitude,
            by: other.units.magnitude,
            over: Self.unitsPerOne.magnitude,
            isNegative: (units < 0) != (other.units < 0),
            rounding: rounding
        )
    }

    /// The quotient, rounded once to 18 fraction digits.
    ///
    /// - Throws: `divisionByZero`, `overflow`.
    public func divided(
        by other: FixedDecimal,
        rounding: DecimalRounding
    ) throws(FixedDecimalError) -> FixedDecimal {
        if other.isZero { throw .divisionByZero }
        return try Self.scaled(
            units.magnitude,
            by: Self.unitsPerOne.magnitude,
            over: other.units.magnitude,
            isNegative: (units < 0) != (other.units < 0),
            rounding: rounding
        )
    }

    /// This part of a whole in hundredths of a percent, rounded once, half away from zero.
    ///
    /// - Throws: `divisionByZero`, `overflow`.
    func wholeHundredthsOfPercent(of whole: FixedDecimal) throws(FixedDecimalError) -> Int128 {
        if whole.isZero { throw .divisionByZero }
        return try Self.scaled(
            units.magnitude,
            by: 10_000,
            over: whole.units.magnitude,
            isNegative: (units < 0) != (whole.units < 0),
            rounding: .halfAwayFromZero
        ).units
    }

    /// This part of a whole in basis points, rounded once to 18 fraction digits, half away from
    /// zero.
    ///
    /// - Throws: `divisionByZero`, `overflow`.
    func basisPoints(of whole: FixedDecimal) throws(FixedDecimalError) -> FixedDecimal {
        if whole.isZero { throw .divisionByZero }
        return try Self.scaled(
            units.magnitude,
            by: 10_000 * Self.unitsPerOne.magnitude,
            over: whole.units.magnitude,
            isNegative: (units < 0) != (whole.units < 0),
            rounding: .halfAwayFromZero
        )
    }

    /// The value with at most `digits` fraction digits; `digits` is clamped to 0...18.
    ///
    /// - Throws: `overflow` if rounding up leaves the range.
    public func rounded(
        toFractionDigits digits: Int,
        _ rounding: DecimalRounding
    ) throws(FixedDecimalError) -> FixedDecimal {
        let step = Self.powerOfTen(Self.fractionDigits - min(max(digits, 0), Self.fractionDigits))
        let (quotient, remainder) = units.magnitude.quotientAndRemainder(dividingBy: step)
        let kept = Self.rounded(quotient, remainder: remainder, divisor: step, rounding)
        let (magnitude, overflow) = kept.multipliedReportingOverflow(by: step)
        if overflow { throw .overflow }
        return try Self(magnitude: magnitude, isNegative: units < 0)
    }

    /// The absolute value; the most negative value has none and is returned unchanged.
    public var magnitude: FixedDecimal {
        units < 0 ? FixedDecimal(units: 0 &- units) : self
    }

    /// Number of fraction digits that the value needs: 0 for 12, 4 for 0.9159.
    public var significantFractionDigits: Int {
        // The fraction is below 10¹⁸ and so fits 64 bits, which divide faster than 128.
        var rest = UInt64(truncatingIfNeeded: units.magnitude % Self.unitsPerOne.magnitude)
        if rest == 0 { return 0 }
        var digits = Self.fractionDigits
        while rest.isMultiple(of: 10) {
            rest /= 10
            digits -= 1
        }
        return digits
    }

    /// `factor` × `other` ÷ `divisor` through 256 bits.
    private static func scaled(
        _ factor: UInt128,
        by other: UInt128,
        over divisor: UInt128,
        isNegative: Bool,
        rounding: DecimalRounding
    ) throws(FixedDecimalError) -> FixedDecimal {
        let product = factor.multipliedFullWidth(by: other)
        // The quotient fits in 128 bits exactly if the upper half is below the divisor.
        if product.high >= divisor { throw .overflow }
        let (quotient, remainder) =
            product.high == 0
            ? product.low.quotientAndRemainder(dividingBy: divisor)
            : divisor.dividingFullWidth(product)
        let kept = rounded(quotient, remainder: remainder, divisor: divisor, rounding)
        return try FixedDecimal(magnitude: kept, isNegative: isNegative)
    }

    /// The quotient or its upper neighbor, by the rounding rule.
    static func rounded(
        _ quotient: UInt128,
        remainder: UInt128,
        divisor: UInt128,
        _ rounding: DecimalRounding
    ) -> UInt128 {
        if remainder == 0 { return quotient }
        let isUp: Bool =
            switch rounding {
            case .truncate: false
            case .awayFromZero: true
            // Twice the remainder may overflow, so it is compared with the rest of the divisor.
            case .halfAwayFromZero: remainder >= divisor - remainder
            case .halfEven:
                remainder > divisor - remainder
                    || (remainder == divisor - remainder && quotient % 2 == 1)
            }
        // A quotient of 2¹²⁸ − 1 has no upper neighbor; it is out of range anyway.
        return isUp && quotient < .max ? quotient + 1 : quotient
    }

    /// A sum in units divided by a count, rounded half-even.
    static func mean(ofSum sum: Int128, count: Int) -> FixedDecimal {
        let divisor = UInt128(count)
        let (quotient, remainder) = sum.magnitude.quotientAndRemainder(dividingBy: divisor)
        let mean = rounded(quotient, remainder: remainder, divisor: divisor, .halfEven)
        // A mean is no larger than the sum, which fits.
        return FixedDecimal(units: sum < 0 ? 0 - Int128(mean) : Int128(mean))
    }

    /// Combines a magnitude and a sign.
    init(magnitude: UInt128, isNegative: Bool) throws(FixedDecimalError) {
        if isNegative {
            guard magnitude <= Int128.min.magnitude else { throw .overflow }
            self.init(units: Int128(truncatingIfNeeded: 0 &- magnitude))
        } else {
            guard magnitude <= Int128.max.magnitude else { throw .overflow }
            self.init(units: Int128(magnitude))
        }
    }

    /// 10 to the power of 0...38.
    static func powerOfTen(_ exponent: Int) -> UInt128 {
        precondition((0...38).contains(exponent), "10^\(exponent) is not a 128-bit power of ten")
        var result: UInt128 = 1
        for _ in 0..<exponent { result *= 10 }
        return result
    }
}
