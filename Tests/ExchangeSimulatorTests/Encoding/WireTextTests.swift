import Domain
import Testing

@testable import ExchangeSimulator

@Suite("Written numbers are exact decimals")
struct WireTextTests {
    @Test("any value is read back unchanged", arguments: [0, 2, 4, 8, 10, 14, 18])
    func roundTrip(digits: Int) throws {
        var random = SeededRandom(seed: UInt64(digits))
        for _ in 0..<2_000 {
            let bits = random.number(in: 1...100)
            let wide = Int128(random.next()) << 64 | Int128(random.next())
            let value = (random.happens(500) ? wide : -wide) >> Int128(127 - bits)
            var text = WireText()
            text.append(decimal: value, digits: digits)
            let expected = try? FixedDecimal(mantissa: value, scale: digits)
            guard let expected else { continue }
            #expect(text.bytes == expected.canonicalUTF8, "\(value) \(digits)")
            guard let small = Int64(exactly: value) else { continue }
            var other = WireText()
            other.append(decimal: small, digits: digits)
            #expect(other.bytes == text.bytes)
        }
    }

    @Test(
        "rates have two digits, halves away from zero",
        arguments: [
            (110_000, 52_288_000, "0.21"), (610, 33_400, "1.83"), (4_206_000, 43_101_000, "9.76"),
            (-2_707_000, 46_051_000, "-5.88"), (5, 100_000, "0.01"), (-5, 100_000, "-0.01"),
            (4, 100_000, "0"), (0, 7, "0"), (3, 2, "150"), (1, 8, "12.5"),
        ]
    )
    func rates(part: Int, whole: Int, text expected: String) {
        var text = WireText()
        text.append(
            decimal: WireRatio.hundredthsOfPercent(Int128(part), of: Int128(whole)),
            digits: 2
        )
        #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
    }
}
