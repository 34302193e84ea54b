import Domain
import TestSupport
import Testing

@Suite("Decimal arithmetic: exact sums, one rounding, no wrap-around")
struct FixedDecimalArithmeticTests {
    private static let seeds: [UInt64] = [1, 2, 3, 4]
    private static let samplesPerSeed = 500

    @Test("sums and differences equal the reference, or overflow", arguments: seeds)
    func sums(seed: UInt64) {
        var samples = DecimalSamples(seed: seed)
        for _ in 0..<Self.samplesPerSeed {
            let (a, b) = (samples.next(), samples.next())
            let sum = outcome { () throws(FixedDecimalError) in try a + b }
            let difference = outcome { () throws(FixedDecimalError) in try a - b }
            #expect(sum == (a.naive + b.naive).expected, "\(a) + \(b)")
            #expect(difference == (a.naive - b.naive).expected, "\(a) - \(b)")
        }
    }

    @Test("products are exact and rounded once", arguments: seeds)
    func products(seed: UInt64) {
        var samples = DecimalSamples(seed: seed)
        let one = NaiveInteger.powerOfTen(18)
        for _ in 0..<Self.samplesPerSeed {
            let (a, b) = (samples.next(), samples.next())
            let rounding = DecimalRounding.all[Int(samples.generator.next() % 4)]
            let product = outcome { () throws(FixedDecimalError) in
                try a.multiplied(by: b, rounding: rounding)
            }
            let expected = (a.naive * b.naive).divided(by: one, rounding: rounding).expected
            #expect(product == expected, "\(a) × \(b), \(rounding)")
        }
    }

    @Test("quotients are exact and rounded once", arguments: seeds)
    func quotients(seed: UInt64) {
        var samples = DecimalSamples(seed: seed)
        let one = NaiveInteger.powerOfTen(18)
        for _ in 0..<Self.samplesPerSeed {
            let (a, b) = (samples.next(), samples.next())
            let rounding = DecimalRounding.all[Int(samples.generator.next() % 4)]
            let quotient = outcome { () throws(FixedDecimalError) in
                try a.divided(by: b, rounding: rounding)
            }
            let expected =
                b.isZero
                ? .failure(.divisionByZero)
                : (a.naive * one).divided(by: b.naive, rounding: rounding).expected
            #expect(quotient == expected, "\(a) ÷ \(b), \(rounding)")
        }
    }

    @Test("rounding to any number of fraction digits", arguments: seeds)
    func rounding(seed: UInt64) {
        var samples = DecimalSamples(seed: seed)
        for _ in 0..<Self.samplesPerSeed {
            let value = samples.next()
            let digits = Int.random(in: -2...20, using: &samples.generator)
            let rounding = DecimalRounding.all[Int(samples.generator.next() % 4)]
            let step = NaiveInteger.powerOfTen(18 - min(max(digits, 0), 18))
            let rounded = outcome { () throws(FixedDecimalError) in
                try value.rounded(toFractionDigits: digits, rounding)
            }
            let expected = value.naive.divided(by: step, rounding: rounding) * step
            #expect(rounded == expected.expected, "\(value) to \(digits), \(rounding)")
        }
    }

    @Test(
        "each rounding rule treats halves as documented",
        arguments: [
            ("2.5", "2", "3", "2", "3"),
            ("3.5", "4", "4", "3", "4"),
            ("-2.5", "-2", "-3", "-2", "-3"),
            ("2.4999", "2", "2", "2", "3"),
            ("-2.0001", "-2", "-2", "-2", "-3"),
            ("2", "2", "2", "2", "2"),
            ("-0.5", "0", "-1", "0", "-1"),
        ] as [(FixedDecimal, FixedDecimal, FixedDecimal, FixedDecimal, FixedDecimal)]
    )
    func halves(
        value: FixedDecimal,
        halfEven: FixedDecimal,
        halfAway: FixedDecimal,
        truncated: FixedDecimal,
        away: FixedDecimal
    ) throws {
        #expect(try value.rounded(toFractionDigits: 0, .halfEven) == halfEven)
        #expect(try value.rounded(toFractionDigits: 0, .halfAwayFromZero) == halfAway)
        #expect(try value.rounded(toFractionDigits: 0, .truncate) == truncated)
        #expect(try value.rounded(toFractionDigits: 0, .awayFromZero) == away)
    }

    @Test("overflow occurs exactly at both ends")
    func ends() throws {
        let unit = FixedDecimal(units: 1)
        let (largest, smallest) = (FixedDecimal(units: .max), FixedDecimal(units: .min))
        #expect(throws: FixedDecimalError.overflow) { try largest + unit }
        #expect(throws: FixedDecimalError.overflow) { try smallest - unit }
        #expect(throws: FixedDecimalError.overflow) { try FixedDecimal.zero - smallest }
        #expect(throws: FixedDecimalError.overflow) {
            try smallest.divided(by: "-1", rounding: .truncate)
        }
        #expect(throws: FixedDecimalError.overflow) {
            try largest.rounded(toFractionDigits: 17, .awayFromZero)
        }
        #expect(try largest - unit + unit == largest)
        #expect(try smallest.multiplied(by: .one, rounding: .truncate) == smallest)
        #expect(try smallest.divided(by: smallest, rounding: .truncate) == .one)
        #expect(throws: FixedDecimalError.divisionByZero) {
            try largest.divided(by: .zero, rounding: .truncate)
        }
    }

    @Test("comparison is by value, in one total order", arguments: seeds)
    func order(seed: UInt64) {
        var samples = DecimalSamples(seed: seed)
        for _ in 0..<Self.samplesPerSeed {
            let (a, b) = (samples.next(), samples.next())
            let difference = a.naive - b.naive
            #expect((a < b) == difference.isNegative)
            #expect((a == b) == difference.isZero)
            #expect(a.sign == (a.naive.isZero ? 0 : (a.naive.isNegative ? -1 : 1)))
            #expect(a.isZero == a.naive.isZero)
        }
    }

    @Test("magnitude and required fraction digits are exact", arguments: seeds)
    func measures(seed: UInt64) {
        var samples = DecimalSamples(seed: seed)
        for _ in 0..<Self.samplesPerSeed {
            let value = samples.next()
            if value.units != .min { #expect(value.magnitude.naive == value.naive.magnitude) }
            let trailingZeros = value.naive.digits.prefix(18).prefix { $0 == 0 }.count
            #expect(value.significantFractionDigits == (value.isZero ? 0 : 18 - trailingZeros))
        }
        #expect(FixedDecimal(units: .min).magnitude == FixedDecimal(units: .min))
    }

    @Test("integers up to the ends of 64 bits are accepted")
    func wholeNumbers() {
        #expect(FixedDecimal(Int64.max).canonicalText == "9223372036854775807")
        #expect(FixedDecimal(Int64.min).canonicalText == "-9223372036854775808")
        #expect(FixedDecimal(1) == .one)
        #expect(FixedDecimal(0) == .zero)
    }
}
