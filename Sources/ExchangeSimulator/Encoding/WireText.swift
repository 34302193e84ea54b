import Domain

/// Builds JSON bytes as the exchange writes them, with numbers from exact integers.
struct WireText: Sendable {
    private(set) var bytes: [UInt8] = []

    /// The largest power of ten in 64 bits has 19 digits; fractions are split into such pieces.
    private static let pieceDigits = 18
    private static let pieceUnit: UInt128 = 1_000_000_000_000_000_000

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(_ text: [UInt8]) {
        bytes.append(contentsOf: text)
    }

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends `value` × 10^−`digits` without trailing zeros.
    mutating func append(decimal value: Int64, digits: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        append(magnitude: value.magnitude, digits: digits)
    }

    /// Appends `value` × 10^−`digits` without trailing zeros; at most 36 digits.
    mutating func append(decimal value: Int128, digits: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        if let small = UInt64(exactly: value.magnitude) {
            append(magnitude: small, digits: digits)
            return
        }
        var unit: UInt128 = 1
        for _ in 0..<digits { unit *= 10 }
        let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: unit)
        append(whole: whole)
        append(fraction: fraction, digits: digits)
    }

    /// Appends `value` × 10^−`digits`; values between 0 and 1 without the zero before the point.
    mutating func append(decimal value: Int128, digits: Int, leadingZero: Bool) {
        let start = bytes.count
        append(decimal: value, digits: digits)
        let zero = [UInt8](arrayLiteral: UInt8(ascii: "0"), UInt8(ascii: "."))
        if !leadingZero, bytes[start...].starts(with: zero) { bytes.remove(at: start) }
    }

    /// Appends `value` × 10^−`digits` as the JSON number of API 2.x.
    ///
    /// As Java's `BigDecimal` does, values below 0.000001 have an exponent: `1.4E-7`.
    mutating func append(number value: Int128, digits: Int) {
        var magnitude = value.magnitude
        var exponent = -digits
        var bound: UInt128 = 1
        while bound <= magnitude {
            bound *= 10
            exponent += 1
        }
        // The exponent of the first digit.
        exponent -= 1
        guard magnitude > 0, exponent < Self.plainExponentMin else {
            append(decimal: value, digits: digits)
            return
        }
        while magnitude % 10 == 0 {
            magnitude /= 10
            bound /= 10
        }
        if value < 0 { append("-") }
        let (first, rest) = magnitude.quotientAndRemainder(dividingBy: bound / 10)
        append(digitsOf: UInt64(first), atLeast: 1)
        if rest > 0 {
            append(".")
            var unit = bound / 100
            while unit > 0 {
                append(digitsOf: UInt64(rest / unit % 10), atLeast: 1)
                unit /= 10
            }
        }
        append("E\(exponent)")
    }

    /// The exponent of the smallest power of ten that is written without an exponent.
    private static let plainExponentMin = -6

    /// Removes the last byte.
    mutating func removeLastByte() {
        bytes.removeLast()
    }

    /// Appends an integer with leading zeros.
    mutating func append(padded value: Int, digits: Int) {
        let start = bytes.count
        var rest = value
        for _ in 0..<digits {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        bytes[start...].reverse()
    }

    /// Appends a Seoul time, `2026-11-20 09:03:07`.
    mutating func append(_ seoul: SeoulTime) {
        let civil = seoul.civil
        let clock = seoul.clock
        append(padded: civil.year, digits: 4)
        for figure in [civil.month, civil.day] {
            append("-")
            append(padded: figure, digits: 2)
        }
        append(" ")
        append(padded: clock.hour, digits: 2)
        for figure in [clock.minute, clock.second] {
            append(":")
            append(padded: figure, digits: 2)
        }
    }

    private mutating func append(magnitude: UInt64, digits: Int) {
        guard digits <= Self.pieceDigits else {
            append(whole: 0)
            append(fraction: UInt128(magnitude), digits: digits)
            return
        }
        let unit = Self.powers[digits]
        let (whole, fraction) = magnitude.quotientAndRemainder(dividingBy: unit)
        append(digitsOf: whole, atLeast: 1)
        append(fraction: UInt128(fraction), digits: digits)
    }

    private mutating func append(whole: UInt128) {
        let (high, low) = whole.quotientAndRemainder(dividingBy: Self.pieceUnit)
        if high > 0 { append(digitsOf: UInt64(truncatingIfNeeded: high), atLeast: 1) }
        append(
            digitsOf: UInt64(truncatingIfNeeded: low),
            atLeast: high > 0 ? Self.pieceDigits : 1
        )
    }

    /// Appends the point and the fraction, or nothing if the fraction is zero.
    private mutating func append(fraction: UInt128, digits: Int) {
        if fraction == 0 { return }
        bytes.append(UInt8(ascii: "."))
        if digits > Self.pieceDigits {
            let lower = Self.powers[digits - Self.pieceDigits]
            let (high, low) = fraction.quotientAndRemainder(dividingBy: UInt128(lower))
            append(digitsOf: UInt64(truncatingIfNeeded: high), atLeast: Self.pieceDigits)
            append(
                digitsOf: UInt64(truncatingIfNeeded: low),
                atLeast: digits - Self.pieceDigits
            )
        } else {
            append(digitsOf: UInt64(truncatingIfNeeded: fraction), atLeast: digits)
        }
        while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }

    private mutating func append(digitsOf value: UInt64, atLeast count: Int) {
        var needed = 1
        while needed < Self.powers.count, value >= Self.powers[needed] { needed += 1 }
        needed = max(needed, count)
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: needed))
        var rest = value
        var position = start + needed - 1
        while rest > 0 {
            bytes[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            position -= 1
        }
    }

    /// 10 to the power of 0...19.
    private static let powers: [UInt64] = {
        var powers: [UInt64] = [1]
        for _ in 1...19 { powers.append((powers.last ?? 1) * 10) }
        return powers
    }()
}

/// Ratios as the exchange writes them: two fraction digits, halves away from zero.
enum WireRatio: Sendable {
    /// (`part` ÷ `whole`) in hundredths of a percent.
    ///
    /// - Precondition: `whole` is above zero.
    static func hundredthsOfPercent(_ part: Int128, of whole: Int128) -> Int64 {
        rounded(part, of: whole, digits: 4)
    }

    /// `part` ÷ `whole` in units of 10^−`digits`, halves away from zero.
    ///
    /// - Precondition: `whole` is above zero.
    static func rounded(_ part: Int128, of whole: Int128, digits: Int) -> Int64 {
        var scaled = part.magnitude
        for _ in 0..<digits { scaled *= 10 }
        let (quotient, remainder) = scaled.quotientAndRemainder(dividingBy: whole.magnitude)
        let rounded = quotient + (remainder >= whole.magnitude - remainder ? 1 : 0)
        return part < 0 ? -Int64(rounded) : Int64(rounded)
    }
}
