import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("Stream messages are routed by status, then by type, and decoded in order")
struct StreamDecoderTests {
    private func decode(_ messages: String...) -> [StreamMessageDTO] {
        var decoder = StreamDecoder(.v1)
        return decoder.decode(BithumbFixtures.batch(messages))
    }

    private func skipped(_ key: String, _ reason: String) -> StreamMessageDTO {
        .skipped(SkippedEntryDTO(key: key, reason: reason))
    }

    private static let xrpTicker = StreamTickerDTO(
        symbol: "XRP_KRW",
        tickType: "24H",
        atMicroseconds: 1_790_165_913_000_000,
        openPrice: WireDecimal(1_202),
        closePrice: WireDecimal(1_210),
        lowPrice: WireDecimal(1_199),
        highPrice: WireDecimal(1_215),
        value: WireDecimal(14_451_234_599, 2),
        volume: WireDecimal(12_000_001, 2),
        sellVolume: WireDecimal(7_000_001, 2),
        buyVolume: WireDecimal(50_000),
        prevClosePrice: WireDecimal(1_203),
        chgRate: WireDecimal(67, 2),
        chgAmt: WireDecimal(8),
        volumePower: WireDecimal(7_142, 2)
    )

    private static let xrpTrade = TransactionDTO(
        symbol: "XRP_KRW",
        takerBought: true,
        price: WireDecimal(1_211),
        quantity: WireDecimal(355, 1),
        amount: WireDecimal(42_990),
        atMicroseconds: 1_790_165_913_240_601
    )

    @Test("a batch keeps the order of its messages")
    func order() {
        let messages = decode(
            #"{"status":"0000","resmsg":"Connected Successfully"}"#,
            BithumbFixtures.ticker(),
            BithumbFixtures.transaction([BithumbFixtures.trade()]),
            #"{"type":"assetstatus","content":{"list":[{"price":"1"}],"datetime":"1"}}"#,
            "rubbish",
            BithumbFixtures.ticker(["symbol": #""BTC_KRW""#])
        )
        var bitcoin = Self.xrpTicker
        bitcoin.symbol = "BTC_KRW"
        #expect(
            messages == [
                .status(StreamStatusDTO(status: "0000", message: "Connected Successfully")),
                .ticker(Self.xrpTicker),
                .transactions([Self.xrpTrade]),
                .unknown(type: "assetstatus"),
                skipped("", "the entry is not well-formed JSON"),
                .ticker(bitcoin),
            ]
        )
    }

    @Test(
        "a message with a status is a status",
        arguments: [
            (
                #"{"status":"5100","resmsg":"Invalid Filter Syntax"}"#, "5100",
                "Invalid Filter Syntax"
            ),
            (#"{"resmsg":"\uc131\uacf5","status":"0000"}"#, "0000", "성공"),
            (#"{"status":"0000"}"#, "0000", ""),
            (#"{"status":5600,"resmsg":7}"#, "5600", "7"),
            (#"{"status":"UP","resmsg":null}"#, "UP", ""),
            (#"{"type":"ticker","content":{"symbol":"A"},"status":"0000"}"#, "0000", ""),
            (#"{"content":{"list":[{}]},"status":"1","type":"transaction"}"#, "1", ""),
        ]
    )
    func statuses(text: String, status: String, message: String) {
        #expect(decode(text) == [.status(StreamStatusDTO(status: status, message: message))])
    }

    @Test(
        "a message without a readable type or content is skipped with the reason",
        arguments: [
            ("{}", "", "type is missing"),
            (#"{"status":null}"#, "", "type is missing"),
            (#"{"type":null,"content":{}}"#, "", "type is missing"),
            (#"{"type":"","content":{}}"#, "", "type is not text, or empty"),
            (#"{"type":["ticker"],"content":{}}"#, "", "type is not text, or empty"),
            (#"{"type":"ticker"}"#, "ticker", "content is missing"),
            (#"{"type":"ticker","content":null}"#, "ticker", "content is not an object"),
            (#"{"content":[{}],"type":"ticker"}"#, "ticker", "content is not an object"),
            (#"{"type":"transaction","content":{}}"#, "transaction", "list is missing"),
            (#"{"type":"transaction","content":{"list":{}}}"#, "transaction", "list is not a list"),
            (#"{"type":"transaction","content":{"list":1}}"#, "transaction", "list is not a list"),
            ("", "", "the entry is not well-formed JSON"),
            ("[]", "", "the entry is not well-formed JSON"),
            ("PONG", "", "the entry is not well-formed JSON"),
            (
                #"{"type":"ticker","content":{"symbol":}}"#, "ticker",
                "the entry is not well-formed JSON"
            ),
            (#"{"type":"ticker","content":{}}{}"#, "ticker", "the entry is not well-formed JSON"),
        ]
    )
    func unroutable(text: String, key: String, reason: String) {
        #expect(decode(text) == [skipped(key, reason)])
    }

    @Test("a ticker without one of its fields is skipped, and the field is named")
    func missingFields() {
        for (key, _) in BithumbFixtures.tickerFields {
            let expected = [skipped("ticker", "\(key) is missing")]
            #expect(decode(BithumbFixtures.ticker([key: nil])) == expected)
            #expect(decode(BithumbFixtures.ticker([key: "null"])) == expected)
        }
    }

    @Test("a trade without one of its fields is skipped; only the direction may be absent")
    func missingTradeFields() {
        for (key, _) in BithumbFixtures.tradeFields {
            let messages = decode(BithumbFixtures.transaction([BithumbFixtures.trade([key: nil])]))
            let trades: [StreamMessageDTO] =
                key == "updn"
                ? [.transactions([Self.xrpTrade])]
                : [.transactions([]), skipped("transaction", "\(key) is missing")]
            #expect(messages == trades)
        }
    }

    @Test("a number is read in every spelling the exchange uses", arguments: Spelling.readable)
    func spellings(spelling: Spelling) {
        var ticker = Self.xrpTicker
        ticker.chgAmt = spelling.number
        #expect(decode(BithumbFixtures.ticker(["chgAmt": spelling.json])) == [.ticker(ticker)])

        var trade = Self.xrpTrade
        trade.quantity = spelling.number
        let frame = BithumbFixtures.transaction([BithumbFixtures.trade(["contQty": spelling.json])])
        #expect(decode(frame) == [.transactions([trade])])
    }

    @Test("an invalid number skips its entry and names the field", arguments: Spelling.unreadable)
    func rubbish(json: String, predicate: String) {
        let expected = skipped("ticker", "closePrice \(predicate)")
        #expect(decode(BithumbFixtures.ticker(["closePrice": json])) == [expected])

        let trades = [BithumbFixtures.trade(), BithumbFixtures.trade(["contPrice": json])]
        #expect(
            decode(BithumbFixtures.transaction(trades)) == [
                .transactions([Self.xrpTrade]),
                skipped("transaction", "contPrice \(predicate)"),
            ]
        )
    }

    @Test("an invalid trade is skipped without affecting others")
    func badTradeAmongGood() {
        var sale = Self.xrpTrade
        sale.takerBought = false
        let frame = BithumbFixtures.transaction([
            BithumbFixtures.trade(), BithumbFixtures.trade(["buySellGb": #""3""#]), "null", "[]",
            BithumbFixtures.trade(["buySellGb": "1"]), BithumbFixtures.trade(["symbol": #""""#]),
        ])
        #expect(
            decode(frame, BithumbFixtures.ticker()) == [
                .transactions([Self.xrpTrade, sale]),
                skipped("transaction", "buySellGb is a code that is not known"),
                skipped("transaction", "list is not an object"),
                skipped("transaction", "list is not an object"),
                skipped("transaction", "symbol is not text, or empty"),
                .ticker(Self.xrpTicker),
            ]
        )
    }

    @Test("the order of fields does not matter, at any level")
    func anyOrder() {
        let ticker = BithumbFixtures.object(BithumbFixtures.tickerFields.reversed())
        #expect(decode(#"{"content":\#(ticker),"type":"ticker"}"#) == [.ticker(Self.xrpTicker)])
        let trade = BithumbFixtures.object(BithumbFixtures.tradeFields.reversed())
        let frame = #"{"content":{"a":{},"list":[\#(trade)],"z":1},"x":[],"type":"transaction"}"#
        #expect(decode(frame) == [.transactions([Self.xrpTrade])])
    }

    @Test("the last of equal keys counts, at any level")
    func equalKeys() {
        let content = BithumbFixtures.object(BithumbFixtures.tickerFields)
        let other = BithumbFixtures.object(BithumbFixtures.tickerFields, with: ["symbol": #""A""#])
        #expect(
            decode(
                #"{"type":"ticker","content":\#(other),"content":\#(content)}"#,
                #"{"type":"transaction","content":\#(content),"type":"ticker"}"#,
                #"{"type":"ticker","content":\#(content),"type":"other"}"#,
                BithumbFixtures.ticker(["symbol": #""A","symbol":"XRP_KRW""#]),
                BithumbFixtures.ticker(["chgAmt": #""x","chgAmt":"8""#])
            ) == [
                .ticker(Self.xrpTicker), .ticker(Self.xrpTicker), .unknown(type: "other"),
                .ticker(Self.xrpTicker), .ticker(Self.xrpTicker),
            ]
        )
    }

    @Test("escaped keys and values are unescaped")
    func escapes() {
        let content = BithumbFixtures.object(
            BithumbFixtures.tickerFields,
            with: [
                "symbol": #""XRP\u005fKRW""#, "chgAmt": #""\u0038""#, "time": #""2118\u00333""#,
            ]
        ).replacing("openPrice", with: #"open\u0050rice"#)
        let frame = BithumbFixtures.frame(type: "ticker", content: content)
        #expect(decode(frame) == [.ticker(Self.xrpTicker)])
        // Content in front of its type is read in a second pass; what follows the type would then
        // be unescaped to where the first pass left the type.
        let rest = String(repeating: "y", count: 2_000)
        let late = #"{"content":\#(content),"typ\u0065":"tick\u0065r","x":"\#(rest)"}"#
        #expect(decode(late) == [.ticker(Self.xrpTicker)])
        let zero = BithumbFixtures.ticker(["symbol": #""A\u0000B""#])
        var expected = Self.xrpTicker
        expected.symbol = "A\0B"
        #expect(decode(zero) == [.ticker(expected)])
    }
}
