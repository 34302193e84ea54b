import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("The ticker/ALL decoder reads each coin with its numbers")
struct TickerAllDecoderTests {
    private func decode(_ body: String) throws(DataSourceError) -> TickerAllDTO {
        var decoder = TickerAllDecoder()
        return try decoder.decode(Array(body.utf8))
    }

    @Test("every field of a coin is read into its own place")
    func allFields() throws {
        let answer = try decode(
            BithumbFixtures.answer([("XRP", BithumbFixtures.coin())], date: #""1790133914965""#)
        )
        var expected = TickerDTO(symbol: "XRP")
        expected.openingPrice = WireDecimal(1_204)
        expected.closingPrice = WireDecimal(1_210)
        expected.minPrice = WireDecimal(1_199)
        expected.maxPrice = WireDecimal(1_215)
        expected.unitsTraded = WireDecimal(812_345_511, 4)
        expected.accTradeValue = WireDecimal(979_123_451_234, 4)
        expected.prevClosingPrice = WireDecimal(1_203)
        expected.unitsTraded24H = WireDecimal(12_000_001, 2)
        expected.accTradeValue24H = WireDecimal(14_451_234_599, 2)
        expected.fluctate24H = WireDecimal(8)
        expected.fluctateRate24H = WireDecimal(67, 2)
        #expect(
            answer == TickerAllDTO(tickers: [expected], dateMilliseconds: 1_790_133_914_965)
        )
    }

    @Test("a number is read in every spelling the exchange uses", arguments: Spelling.readable)
    func spellings(spelling: Spelling) throws {
        let coin = BithumbFixtures.coin(["fluctate_rate_24H": spelling.json])
        let answer = try decode(BithumbFixtures.answer([("BAL", coin)]))
        #expect(answer.tickers.first?.fluctateRate24H == spelling.number)
    }

    @Test(
        "an invalid number skips its coin and names the field",
        arguments: Spelling.unreadable,
        ["opening_price", "fluctate_rate_24H"]
    )
    func rubbish(rubbish: (json: String, predicate: String), field: String) throws {
        let bad = BithumbFixtures.coin([field: rubbish.json])
        let answer = try decode(
            BithumbFixtures.answer([("BTC", bad), ("ETH", BithumbFixtures.coin())])
        )
        #expect(answer.tickers.map(\.symbol) == ["ETH"])
        let reason = "\(field) \(rubbish.predicate)"
        #expect(answer.skipped == [SkippedEntryDTO(key: "BTC", reason: reason)])
    }

    @Test("a field that is absent or null has no number", arguments: [nil, "null"] as [String?])
    func absentFields(json: String?) throws {
        for (key, _) in BithumbFixtures.coinFields {
            let coin = BithumbFixtures.coin([key: json])
            let ticker = try #require(
                try decode(BithumbFixtures.answer([("A", coin)])).tickers.first
            )
            let numbers = [
                ticker.openingPrice, ticker.closingPrice, ticker.minPrice, ticker.maxPrice,
                ticker.unitsTraded, ticker.accTradeValue, ticker.prevClosingPrice,
                ticker.unitsTraded24H, ticker.accTradeValue24H, ticker.fluctate24H,
                ticker.fluctateRate24H,
            ]
            let index = try #require(BithumbFixtures.coinFields.firstIndex { $0.key == key })
            #expect(numbers[index] == nil)
            #expect(numbers.count(where: { $0 == nil }) == 1)
        }
    }

    @Test("a coin in another shape is skipped or suspended without affecting others")
    func otherShapes() throws {
        let answer = try decode(
            BithumbFixtures.answer(
                [
                    ("GONE", "[]"), ("A", BithumbFixtures.coin()), ("NULL", "null"), ("N", "12"),
                    ("T", #""text""#), ("B", "true"), ("L", #"[1,{"a":[null]}]"#),
                    ("EMPTY", "{}"), ("", BithumbFixtures.coin()),
                    ("SUN_OLD", BithumbFixtures.coin()),
                    ("GONE2", "[ ]"),
                ]
            )
        )
        #expect(answer.tickers.map(\.symbol) == ["A", "EMPTY", "SUN_OLD"])
        #expect(answer.tickers[1] == TickerDTO(symbol: "EMPTY"))
        #expect(answer.emptySymbols == ["GONE", "GONE2"])
        let shapes = ["NULL", "N", "T", "B", "L"].map {
            SkippedEntryDTO(key: $0, reason: "the entry is not an object")
        }
        let nameless = SkippedEntryDTO(key: "", reason: "the key is not text, or empty")
        #expect(answer.skipped == shapes + [nameless])
    }

    @Test("unknown fields are ignored")
    func extraFields() throws {
        let extra = #"{"a":[1,-2.5e3,{"b":null}],"c":"\u00e9\n","d":[[],{}],"closing_price":0}"#
        let coin = #"{"extra":\#(extra),"closing_price":"7","more":[true,false]}"#
        let body = #"{"extra":\#(extra),"status":"0000","data":{"A":\#(coin)},"z":\#(extra)}"#
        let answer = try decode(body)
        #expect(answer.tickers.map(\.closingPrice) == [WireDecimal(7)])
        #expect(answer.skipped.isEmpty)
    }

    @Test(
        "the exchange's time is milliseconds as text or number; any other value is unknown",
        arguments: [
            (#""1790133914965""#, 1_790_133_914_965), ("1790133914965", 1_790_133_914_965),
            ("null", nil), (#""""#, nil), (#""soon""#, nil), ("[]", nil), ("{}", nil),
            (#""-5""#, nil), (#""0""#, nil), (#""1.5""#, nil), (#""9223372036854775808""#, nil),
            (#""20260923""#, 20_260_923), (nil, nil),
        ] as [(String?, Int64?)]
    )
    func date(json: String?, expected: Int64?) throws {
        let answer = try decode(BithumbFixtures.answer([("A", BithumbFixtures.coin())], date: json))
        #expect(answer.dateMilliseconds == expected)
        #expect(answer.tickers.map(\.symbol) == ["A"])
    }

    @Test("the last of equal keys counts, and each repeated coin is listed as skipped")
    func equalKeys() throws {
        let answer = try decode(
            BithumbFixtures.answer(
                [
                    ("A", BithumbFixtures.coin(["closing_price": "1"])),
                    ("B", BithumbFixtures.coin()),
                    ("A", BithumbFixtures.coin(["closing_price": "2"])),
                    ("B", "[]"),
                    ("C", #"{"closing_price":"abc","closing_price":"3"}"#),
                    ("D", #"{"closing_price":"3","closing_price":"abc"}"#),
                ]
            )
        )
        #expect(answer.tickers.map(\.symbol) == ["A", "C"])
        #expect(answer.tickers.map(\.closingPrice) == [WireDecimal(2), WireDecimal(3)])
        #expect(answer.emptySymbols == ["B"])
        #expect(answer.skipped.map(\.key) == ["A", "B", "D"])
    }

    @Test("the order of fields does not matter, at any level")
    func anyOrder() throws {
        let reversed = BithumbFixtures.object(BithumbFixtures.coinFields.reversed())
        let expected = try decode(
            BithumbFixtures.answer([("A", BithumbFixtures.coin())], date: "5")
        )
        let body = #"{"message":"","data":{"date":5,"A":\#(reversed)},"status":"0000"}"#
        #expect(try decode(body) == expected)
    }

    @Test("escaped keys and values are unescaped")
    func escapes() throws {
        let coin = #"{"closing\u005fprice":"\u0031\u0030","min_price":"\u002e5"}"#
        let body = #"{"st\u0061tus":"\u0030000","d\u0061ta":{"\uac00\ud83d\ude00\"":\#(coin)}}"#
        let ticker = try #require(try decode(body).tickers.first)
        #expect(ticker.symbol == "가😀\"")
        #expect(ticker.closingPrice == WireDecimal(10))
        #expect(ticker.minPrice == WireDecimal(5, 1))
    }

    @Test("a decoder continues after a refused response")
    func reuse() throws {
        var decoder = TickerAllDecoder()
        let good = Array(BithumbFixtures.answer([("A", BithumbFixtures.coin())]).utf8)
        let first = try decoder.decode(good)
        #expect(throws: DataSourceError.self) { try decoder.decode(good.dropLast()) }
        #expect(throws: DataSourceError.self) { try decoder.decode([]) }
        #expect(try decoder.decode(good) == first)
    }
}

extension TickerAllDecoder {
    /// Decodes a slice as the array it stands for.
    fileprivate mutating func decode(_ slice: ArraySlice<UInt8>) throws -> TickerAllDTO {
        try decode(Array(slice))
    }
}
