import Domain
import TestSupport
import Testing

@Suite("Decimal text: reads the exchange's spellings and writes one")
struct FixedDecimalTextTests {
    @Test(
        "every spelling of the exchange is read exactly",
        arguments: [
            ("143210000", "143210000"), (".9159", "0.9159"), ("-.5", "-0.5"), ("-0", "0"),
            ("-0.000", "0"), ("0", "0"), ("+7", "7"), ("5.", "5"), ("007.70", "7.7"),
            ("1.4E-7", "0.00000014"), ("8.428e-05", "0.00008428"), ("1e3", "1000"),
            ("1E+3", "1000"), ("0e99999", "0"), ("12.50e1", "125"), ("0.00000037", "0.00000037"),
            ("46947568969.878487505202689", "46947568969.878487505202689"),
            ("45741663716.89916828275244531", "45741663716.89916828275244531"),
            ("13860.850765302017000358", "13860.850765302017000358"),
            ("1986121342.67368237", "1986121342.67368237"),
            ("00000000000000000000000000000000000000000000000001", "1"),
            (
                "170141183460469231731.687303715884105727",
                "170141183460469231731.687303715884105727"
            ),
            (
                "-170141183460469231731.687303715884105728",
                "-170141183460469231731.687303715884105728"
            ),
        ]
    )
    func numbers(text: String, canonical: String) throws {
        let value = try FixedDecimal(parsing: text)
        #expect(value.canonicalText == canonical)
        #expect(value.description == canonical)
        #expect(value.canonicalUTF8 == Array(canonical.utf8))
    }

    @Test(
        "further digits than eighteen are rounded half-even",
        arguments: [
            ("0.0000000000000000005", 0), ("0.0000000000000000015", 2),
            ("0.0000000000000000025", 2), ("-0.0000000000000000015", -2),
            ("0.00000000000000000050000001", 1), ("0.00000000000000000149999", 1),
            ("5e-19", 0), ("6e-19", 1), ("9e-20", 0), ("1e-99999", 0), ("99999e-23", 1),
        ] as [(String, Int128)]
    )
    func excessDigits(text: String, units: Int128) throws {
        #expect(try FixedDecimal(parsing: text).units == units)
    }

    @Test(
        "malformed text is rejected with its position",
        arguments: [
            ("", 0), (".", 1), ("-", 1), ("+", 1), ("-.", 2), ("1,000", 1), (" 1", 0), ("1 ", 1),
            ("NaN", 0), ("Infinity", 0), ("0x1", 1), ("--1", 1), ("1-", 1), ("1.2.3", 3),
            ("e5", 0), (".e5", 1), ("1e", 2), ("1e+", 3), ("1e5.0", 3), ("1e5e5", 3), ("1e+-5", 3),
            ("1_000", 1), ("１", 0), ("1원", 1), ("\u{0}", 0),
        ]
    )
    func rubbish(text: String, offset: Int) {
        #expect(throws: FixedDecimalError.notANumber(offset: offset)) {
            try FixedDecimal(parsing: text)
        }
    }

    @Test(
        "a value out of range is rejected",
        arguments: [
            "170141183460469231731.687303715884105728",
            "-170141183460469231731.687303715884105729",
            "170141183460469231732", "1e21", "-1e21", "1e99999", "1e99999999999999999999",
            "1000000000000000000000000000000000000000",
            "0.1000000000000000000000000000000000000000",
        ]
    )
    func overflow(text: String) {
        #expect(throws: FixedDecimalError.overflow) { try FixedDecimal(parsing: text) }
    }

    @Test(
        "random mantissas, points and exponents equal the reference model",
        arguments: [11, 12, 13]
    )
    func spellings(seed: UInt64) {
        var samples = DecimalSamples(seed: seed)
        for _ in 0..<500 {
            let spelling = Spelling(using: &samples.generator)
            let shift = 18 - spelling.scale
            let expected =
                shift >= 0
                ? spelling.mantissa * .powerOfTen(shift)
                : spelling.mantissa.divided(by: .powerOfTen(-shift), rounding: .halfEven)
            let read = outcome { () throws(FixedDecimalError) in
                try FixedDecimal(parsing: spelling.text)
            }
            #expect(read == expected.expected, "\(spelling.text)")
        }
    }

    @Test("an integer with a scale equals its text", arguments: [21, 22])
    func mantissaAndScale(seed: UInt64) {
        var samples = DecimalSamples(seed: seed)
        for _ in 0..<500 {
            let mantissa = samples.next().units
            let scale = Int.random(in: -45...80, using: &samples.generator)
            let shift = 18 - scale
            let expected =
                shift >= 0
                ? NaiveInteger(mantissa) * .powerOfTen(shift)
                : NaiveInteger(mantissa).divided(by: .powerOfTen(-shift), rounding: .halfEven)
            let made = outcome { () throws(FixedDecimalError) in
                try FixedDecimal(mantissa: mantissa, scale: scale)
            }
            #expect(made == expected.expected, "\(mantissa) × 10^-\(scale)")
        }
    }

    @Test("extreme scales are handled", arguments: [Int.min, -1_000, 1_000, Int.max])
    func farScales(scale: Int) throws {
        #expect(try FixedDecimal(mantissa: 0, scale: scale) == .zero)
        let made = outcome { () throws(FixedDecimalError) in
            try FixedDecimal(mantissa: 1, scale: scale)
        }
        #expect(made == (scale < 0 ? .failure(.overflow) : .success(.zero)))
    }

    @Test("written values are read back unchanged", arguments: [31, 32, 33])
    func roundTrip(seed: UInt64) throws {
        var samples = DecimalSamples(seed: seed)
        for _ in 0..<500 {
            let value = samples.next()
            #expect(value.canonicalText == Self.naiveText(value, fractionDigitsMin: 0))
            #expect(try FixedDecimal(parsing: value.canonicalText) == value)
        }
    }

    @Test(
        "groups and minimum digits are written",
        arguments: [
            ("0", 0, "0"), ("0", 2, "0.00"), ("999", 0, "999"), ("1000", 0, "1,000"),
            ("-1000", 1, "-1,000.0"), ("143210000", 0, "143,210,000"), ("7.523", 2, "7.523"),
            ("7.5", 3, "7.500"), ("0.00000037", 8, "0.00000037"), ("12.1", 99, "12.1"),
            ("1234567.891", -5, "1,234,567.891"), ("18446744073709551616", 0, nil),
            ("170141183460469231731.687303715884105727", 0, nil),
        ] as [(FixedDecimal, Int, String?)]
    )
    func groups(value: FixedDecimal, fractionDigitsMin: Int, expected: String?) {
        let text = Self.text(value, fractionDigitsMin, separator: UInt8(ascii: ","))
        let naive = Self.naiveText(value, fractionDigitsMin: fractionDigitsMin, separator: ",")
        #expect(text == naive)
        if fractionDigitsMin <= 18, let expected { #expect(text == expected) }
    }

    @Test("random values are written with random options", arguments: [41, 42])
    func wishes(seed: UInt64) {
        var samples = DecimalSamples(seed: seed)
        for _ in 0..<500 {
            let value = samples.next()
            let digits = Int.random(in: -1...19, using: &samples.generator)
            #expect(
                Self.text(value, digits, separator: UInt8(ascii: ","))
                    == Self.naiveText(value, fractionDigitsMin: digits, separator: ",")
            )
        }
    }

    @Test("appending keeps the existing text")
    func appending() {
        var bytes = Array("KRW ".utf8)
        FixedDecimal(1_234).appendText(to: &bytes, fractionDigitsMin: 0, separator: 0x2c)
        FixedDecimal(-5).appendText(to: &bytes, fractionDigitsMin: 1)
        #expect(String(decoding: bytes, as: UTF8.self) == "KRW 1,234-5.0")
    }

    private static func text(
        _ value: FixedDecimal,
        _ fractionDigitsMin: Int,
        separator: UInt8?
    ) -> String {
        var bytes: [UInt8] = []
        value.appendText(to: &bytes, fractionDigitsMin: fractionDigitsMin, separator: separator)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reference model: the text built digit by digit from the units.
    private static func naiveText(
        _ value: FixedDecimal,
        fractionDigitsMin: Int,
        separator: String = ""
    ) -> String {
        var digits = value.naive.digits
        while digits.count < 19 { digits.append(0) }
        var fraction = Array(digits[..<18].reversed())
        while fraction.last == 0, fraction.count > max(fractionDigitsMin, 0) {
            fraction.removeLast()
        }
        var whole = ""
        for (place, digit) in digits[18...].enumerated() {
            if place > 0, place % 3 == 0 { whole = separator + whole }
            whole = String(digit) + whole
        }
        let point = fraction.isEmpty ? "" : "." + fraction.map(String.init).joined()
        return (value.naive.isNegative ? "-" : "") + whole + point
    }
}

/// A random spelling of a number, and its value.
private struct Spelling {
    let text: String
    let mantissa: NaiveInteger
    let scale: Int

    init(using generator: inout SeededGenerator) {
        let digitCount = Int.random(in: 1...38, using: &generator)
        let digits = (0..<digitCount).map { _ in Int.random(in: 0...9, using: &generator) }
        let point = Int.random(in: 0...digitCount, using: &generator)
        let exponent = Int.random(in: -25...25, using: &generator)
        let sign = ["", "-", "+"].randomElement(using: &generator) ?? ""
        let whole = digits[..<point].map(String.init).joined()
        let fraction = digits[point...].map(String.init).joined()
        let mark = ["e", "E"].randomElement(using: &generator) ?? "e"
        let power = exponent == 0 ? "" : mark + (exponent > 0 ? "+" : "") + String(exponent)
        text = sign + whole + (fraction.isEmpty ? "" : "." + fraction) + power
        mantissa = NaiveInteger(digits: digits.reversed(), isNegative: sign == "-")
        scale = digitCount - point - exponent
    }
}
