import Domain
import ViewStates
import TestSupport
import Testing

@Suite("Text of prices and changes: decimals by price band, no lost digit, sign and zero rules")
struct NumberTextTests {
    @Test(
        "a won price has the decimals of its band at every edge, more if it has more",
        arguments: [
            ("0.0001", "0.0001"), ("0.5", "0.5000"), ("0.9999", "0.9999"),
            ("1", "1.000"), ("1.001", "1.001"), ("9.999", "9.999"),
            ("10", "10.00"), ("10.01", "10.01"), ("99.99", "99.99"),
            ("100", "100.0"), ("100.1", "100.1"), ("999.9", "999.9"),
            ("1000", "1,000"), ("4999", "4,999"), ("5000", "5,000"), ("10000", "10,000"),
            ("999500", "999,500"), ("1000000", "1,000,000"), ("100000000", "100,000,000"),
            // Seen side by side on the exchange although the step there is 0.001.
            ("7.523", "7.523"), ("7.524", "7.524"),
            // More digits than the band.
            ("0.00001", "0.00001"), ("12.345", "12.345"), ("1000.5", "1,000.5"),
            ("0", "0.0000"), ("0.000000000000000001", "0.000000000000000001"),
        ] as [(FixedDecimal, String)]
    )
    func wonPrice(value: FixedDecimal, text: String) {
        #expect(NumberText.price(value, quote: .krw) == text)
    }

    @Test(
        "a bitcoin price has eight decimals, more if it has more",
        arguments: [
            ("0.00000001", "0.00000001"), ("0.0315", "0.03150000"), ("1", "1.00000000"),
            ("1234.5", "1,234.50000000"), ("0.000000001", "0.000000001"),
        ] as [(FixedDecimal, String)]
    )
    func bitcoinPrice(value: FixedDecimal, text: String) {
        #expect(NumberText.price(value, quote: .btc) == text)
    }

    @Test("neighboring ticks never print the same, and a price's text is its value")
    func ticksAreDistinct() throws {
        var generator = SeededGenerator(seed: 1)
        for (quote, bands) in [(Quote.krw, TickTable.krw), (.btc, TickTable.btc)] {
            for (index, band) in bands.enumerated() {
                let last = FixedDecimal(1_000_000_000)
                let end = index + 1 < bands.count ? bands[index + 1].from : last
                let first = band.from.units / band.step.units
                for _ in 0..<400 {
                    // The last tick of a band has the first of the next one for a neighbor.
                    let tick = Int128.random(
                        in: first..<(end.units / band.step.units),
                        using: &generator
                    )
                    let price = FixedDecimal(units: tick * band.step.units)
                    let neighbor = try price + band.step
                    let text = NumberText.price(price, quote: quote)
                    #expect(text != NumberText.price(neighbor, quote: quote))
                    #expect(FixedDecimal(stringLiteral: text.filter { $0 != "," }) == price)
                }
            }
        }
    }

    @Test(
        "a rate has two decimals and a sign, zero after rounding has none",
        arguments: [
            ("0", "0.00%"), ("0.004", "0.00%"), ("-0.004", "0.00%"), ("-0.0000001", "0.00%"),
            ("0.005", "+0.01%"), ("-0.005", "-0.01%"), ("0.21", "+0.21%"), ("-1.34", "-1.34%"),
            ("12", "+12.00%"), ("-0.5", "-0.50%"), ("1.005", "+1.01%"), ("-1.005", "-1.01%"),
            ("1234.5", "+1,234.50%"), ("-99.999", "-100.00%"),
        ] as [(FixedDecimal, String)]
    )
    func rate(value: FixedDecimal, text: String) {
        #expect(NumberText.rate(value) == text)
    }

    @Test("a rate has a sign exactly if its rounded value is not zero")
    func rateSigns() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<2_000 {
            // Half of them so small that rounding decides.
            let bound = Int128(Bool.random(using: &generator) ? 20 : 20_000)
            let thousandths = Int128.random(in: -bound...bound, using: &generator)
            let value = FixedDecimal(units: thousandths * (FixedDecimal.unitsPerOne / 1_000))
            let text = NumberText.rate(value)
            let hundredths = (thousandths.magnitude + 5) / 10
            let sign = hundredths == 0 ? nil : (thousandths > 0 ? "+" as Character : "-")
            #expect(text.first == sign || (sign == nil && text == "0.00%"), "\(text)")
            #expect(text.hasSuffix("%") && text.split(separator: ".")[1].count == 3, "\(text)")
        }
    }

    @Test(
        "a change amount has a sign and the decimals of its price; zero has neither",
        arguments: [
            ("-1945000", "143210000", "-1,945,000"), ("110000", "52398000", "+110,000"),
            ("0.01", "7.523", "+0.010"), ("-0.001", "7.523", "-0.001"), ("5", "99.5", "+5.00"),
            ("-0.0001", "1000", "-0.0001"), ("0", "7.523", "0"), ("1.5", nil, "+1.500"),
        ] as [(FixedDecimal, FixedDecimal?, String)]
    )
    func amount(value: FixedDecimal, price: FixedDecimal?, text: String) {
        #expect(NumberText.amount(value, price: price, quote: .krw) == text)
    }

    @Test(
        "a bitcoin market's change amount has eight decimals",
        arguments: [
            ("0.0001", "+0.00010000"), ("-0.00000001", "-0.00000001"), ("0", "0"),
        ] as [(FixedDecimal, String)]
    )
    func bitcoinAmount(value: FixedDecimal, text: String) {
        #expect(NumberText.amount(value, price: .one, quote: .btc) == text)
    }
}

@Suite("Text of turnover: truncated millions, won below a million, three decimals of bitcoin")
struct TradeValueTextTests {
    @Test(
        "won turnovers are truncated, never rounded up",
        arguments: [
            ("0", "0원", "0 KRW"), ("0.99", "0원", "0 KRW"), ("-0.5", "0원", "0 KRW"),
            ("1", "1원", "1 KRW"), ("999", "999원", "999 KRW"), ("1000", "1,000원", "1,000 KRW"),
            ("999999", "999,999원", "999,999 KRW"), ("999999.99", "999,999원", "999,999 KRW"),
            ("1000000", "1백만", "1M"), ("1999999.999", "1백만", "1M"), ("2000000", "2백만", "2M"),
            ("999999999", "999백만", "999M"), ("1000000000", "1,000백만", "1,000M"),
            ("98123456789.5123", "98,123백만", "98,123M"),
            ("1234567890123456", "1,234,567,890백만", "1,234,567,890M"),
        ] as [(FixedDecimal, String, String)]
    )
    func won(value: FixedDecimal, korean: String, english: String) {
        #expect(NumberText.tradeValue(value, quote: .krw, language: .korean) == korean)
        #expect(NumberText.tradeValue(value, quote: .krw, language: .english) == english)
    }

    @Test(
        "bitcoin turnovers have exactly three decimals, truncated, and their unit",
        arguments: [
            ("0", "0.000 BTC"), ("0.0009", "0.000 BTC"), ("0.001", "0.001 BTC"),
            ("1.2349", "1.234 BTC"), ("1.5", "1.500 BTC"), ("1234.5678", "1,234.567 BTC"),
        ] as [(FixedDecimal, String)]
    )
    func bitcoin(value: FixedDecimal, text: String) {
        for language in Language.allCases {
            #expect(NumberText.tradeValue(value, quote: .btc, language: language) == text)
        }
    }

    @Test("millions equal whole-number division, over the whole range")
    func millions() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let digits = Int.random(in: 1...20, using: &generator)
            var units = Int128(1)
            for _ in 0..<digits { units *= 10 }
            let won = Int128.random(in: 0..<units, using: &generator)
            let fraction = Int128.random(in: 0..<FixedDecimal.unitsPerOne, using: &generator)
            let value = FixedDecimal(units: won * FixedDecimal.unitsPerOne + fraction)
            let text = NumberText.tradeValue(value, quote: .krw, language: .korean)
            let expected = won < 1_000_000 ? "\(won)원" : "\(won / 1_000_000)백만"
            #expect(text.filter { $0 != "," } == expected)
        }
        let most = FixedDecimal(units: .max)
        #expect(
            NumberText.tradeValue(most, quote: .krw, language: .korean) == "170,141,183,460,469백만"
        )
    }
}
