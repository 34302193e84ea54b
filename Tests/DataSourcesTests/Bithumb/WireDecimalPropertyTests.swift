import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("A wire decimal keeps every number exactly")
struct WireDecimalPropertyTests {
    /// A random spelling of a number of at most 38 digits, and the number.
    private func randomNumber(
        using generator: inout SeededGenerator
    ) -> (text: String, number: WireDecimal) {
        let digitCount = Int.random(in: 1...38, using: &generator)
        var digits = (0..<digitCount).map { _ in Int.random(in: 0...9, using: &generator) }
        // Long runs of zeros and nines are where carries and leading zeros go wrong.
        if Bool.random(using: &generator) {
            let run = Int.random(in: 0...digitCount, using: &generator)
            let digit = Bool.random(using: &generator) ? 0 : 9
            for index in 0..<run { digits[index] = digit }
        }
        let isNegative = Bool.random(using: &generator)
        let point = Int.random(in: 0...digitCount, using: &generator)
        let exponent: Int? =
            Bool.random(using: &generator) ? Int.random(in: -60...60, using: &generator) : nil

        var text = isNegative ? "-" : ""
        text += digits[..<point].map(String.init).joined()
        if point < digitCount { text += "." + digits[point...].map(String.init).joined() }
        if let exponent {
            text += Bool.random(using: &generator) ? "e" : "E"
            if exponent >= 0, Bool.random(using: &generator) { text += "+" }
            text += String(exponent)
        }
        let magnitude = digits.reduce(Int128(0)) { $0 * 10 + Int128($1) }
        let number = WireDecimal(
            mantissa: isNegative ? -magnitude : magnitude,
            scale: digitCount - point - (exponent ?? 0)
        )
        return (text, number)
    }

    @Test("any spelling of a number as text is read exactly", arguments: [1, 2, 3] as [UInt64])
    func textRoundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let numbers = (0..<2_000).map { _ in randomNumber(using: &generator) }
        let trades = numbers.map { BithumbFixtures.trade(["contQty": #""\#($0.text)""#]) }
        var decoder = StreamDecoder(.v1)
        let messages = decoder.decode(BithumbFixtures.batch([BithumbFixtures.transaction(trades)]))
        guard case .transactions(let read) = messages.first else {
            Issue.record("the frame was not read")
            return
        }
        try #require(read.count == numbers.count)
        for (trade, (text, number)) in zip(read, numbers) {
            #expect(trade.quantity == number, "\(text)")
        }
    }

    @Test("any bare JSON number is read exactly", arguments: [4, 5] as [UInt64])
    func bareRoundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let numbers = (0..<2_000).map { _ -> (text: String, number: WireDecimal) in
            let (text, number) = randomNumber(using: &generator)
            // JSON wants one digit before the point and no zero before another digit.
            let isNegative = text.hasPrefix("-")
            var digits = text.drop { $0 == "-" || $0 == "0" }
            if digits.first.map({ !$0.isNumber }) ?? true { digits = "0" + digits }
            return ((isNegative ? "-" : "") + digits, number)
        }
        let body = BithumbFixtures.answer(
            numbers.enumerated().map { ("C\($0)", #"{"closing_price":\#($1.text)}"#) }
        )
        var decoder = TickerAllDecoder()
        let answer = try decoder.decode(Array(body.utf8))
        try #require(answer.tickers.count == numbers.count)
        for (ticker, (text, number)) in zip(answer.tickers, numbers) {
            #expect(ticker.closingPrice == number, "\(text)")
        }
    }

    @Test("a number of more than 38 digits is an error, never rounded", arguments: [6] as [UInt64])
    func digitLimit(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var text = String(Int.random(in: 1...9, using: &generator))
            for _ in 0..<38 { text += String(Int.random(in: 0...9, using: &generator)) }
            let place = Int.random(in: 0...39, using: &generator)
            text.insert(".", at: text.index(text.startIndex, offsetBy: place))
            var decoder = StreamDecoder(.v1)
            let frame = BithumbFixtures.ticker(["value": #""\#(text)""#])
            let expected = SkippedEntryDTO(key: "ticker", reason: "value has more than 38 digits")
            #expect(decoder.decode(BithumbFixtures.batch([frame])) == [.skipped(expected)])
        }
    }
}
