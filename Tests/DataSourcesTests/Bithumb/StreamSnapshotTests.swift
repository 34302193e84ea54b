import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("A frame of a whole order book becomes a book, or is skipped")
struct StreamSnapshotTests {
    private static let book = OrderBookDTO(
        symbol: "XRP_KRW",
        atMicroseconds: 1_790_133_914_965_948,
        asks: [
            BookLevelDTO(price: WireDecimal(1_210), quantity: WireDecimal(1_200_421, 4)),
            BookLevelDTO(price: WireDecimal(1_211), quantity: WireDecimal(7)),
        ],
        bids: [BookLevelDTO(price: WireDecimal(1_209), quantity: WireDecimal(355, 1))]
    )

    private func decode(_ frame: String) -> [StreamMessageDTO] {
        var decoder = StreamDecoder(.v1)
        return decoder.decode(BithumbFixtures.batch([frame]))
    }

    private func skipped(_ reason: String) -> StreamMessageDTO {
        .skipped(SkippedEntryDTO(key: "orderbooksnapshot", reason: reason))
    }

    @Test("each side is read from its own field")
    func fields() {
        #expect(decode(BithumbFixtures.snapshot()) == [.orderBook(Self.book)])
        let time = BithumbFixtures.snapshot(["datetime": "1790133914965948"])
        #expect(decode(time) == [.orderBook(Self.book)])
    }

    @Test("levels are pairs or objects with numbers as text or bare; further elements are ignored")
    func levels() {
        let frame = BithumbFixtures.snapshot([
            "asks": #"[[1210,120.0421],{"quantity":"7","price":1211,"total":"3"}]"#,
            "bids": #"[["1209","35.5",{"since":[1]},null]]"#,
        ])
        #expect(decode(frame) == [.orderBook(Self.book)])
    }

    @Test("prices and quantities of every band are exact", arguments: Spelling.prices)
    func bands(spelling: Spelling) {
        var book = Self.book
        book.bids = [BookLevelDTO(price: spelling.number, quantity: spelling.number)]
        let frame = BithumbFixtures.snapshot(["bids": "[[\(spelling.json),\(spelling.json)]]"])
        #expect(decode(frame) == [.orderBook(book)])
    }

    @Test("sides may be empty, and zeros are kept")
    func emptySides() {
        var book = Self.book
        book.asks = []
        book.bids[0].quantity = WireDecimal(0, 4)
        let frame = BithumbFixtures.snapshot(["asks": "[ ]", "bids": #"[["1209","0.0000"]]"#])
        #expect(decode(frame) == [.orderBook(book)])
    }

    @Test(
        "an invalid level is skipped with the reason and counted",
        arguments: [
            ("[]", "price is missing"), (#"["1215"]"#, "quantity is missing"),
            (#"["1215",null]"#, "quantity is missing"), (#"["x","1"]"#, "price is not a number"),
            (#"["1215",["1"]]"#, "quantity is not a number"), ("{}", "price is missing"),
            (#"{"price":"1215"}"#, "quantity is missing"), ("null", "the level is not an object"),
            (#""1215""#, "the level is not an object"),
        ]
    )
    func badLevels(level: String, reason: String) {
        var book = Self.book
        book.skippedCount = 2
        let frame = BithumbFixtures.snapshot([
            "asks": #"[["1210","120.0421"],\#(level),["1211","7"]]"#,
            "bids": #"[["1209","35.5"],\#(level)]"#,
        ])
        #expect(decode(frame) == [.orderBook(book), skipped(reason), skipped(reason)])
    }

    @Test(
        "a frame without symbol, time or a side is skipped with the reason",
        arguments: [
            ("symbol", nil, "symbol is missing"),
            ("symbol", #""""#, "symbol is not text, or empty"),
            ("datetime", nil, "datetime is missing"),
            ("datetime", "0", "datetime is not a valid time"),
            ("asks", nil, "asks is missing"), ("asks", "null", "asks is not a list"),
            ("bids", "{}", "bids is not a list"), ("bids", #""none""#, "bids is not a list"),
        ] as [(String, String?, String)]
    )
    func noBook(key: String, json: String?, reason: String) throws {
        let messages = decode(BithumbFixtures.snapshot([key: json]))
        #expect(messages.count == 1)
        guard case .skipped(let entry) = messages[0] else {
            Issue.record("\(messages[0])")
            return
        }
        #expect(entry.key == "orderbooksnapshot")
        #expect(entry.reason.hasPrefix(reason))
    }

    @Test("a frame with too many levels on a side is skipped")
    func limit() {
        let side = { (count: Int) in
            "[" + Array(repeating: #"["1209","35.5"]"#, count: count).joined(separator: ",") + "]"
        }
        var book = Self.book
        book.bids = Array(repeating: Self.book.bids[0], count: 4_096)
        #expect(decode(BithumbFixtures.snapshot(["bids": side(4_096)])) == [.orderBook(book)])
        let over = decode(BithumbFixtures.snapshot(["bids": side(4_097)]))
        #expect(over == [skipped("bids has too many entries")])
    }

    @Test("the last of equal keys counts, with its skipped entries only")
    func equalKeys() {
        var content = BithumbFixtures.object(BithumbFixtures.snapshotFields)
        content =
            #"{"bids":[["1","1"],7],"asks":7,"#
            + #""symbol":"BTC_KRW",\#(content.dropFirst())"#
        let frame = BithumbFixtures.frame(type: "orderbooksnapshot", content: content)
        #expect(decode(frame) == [.orderBook(Self.book)])
        #expect(decode(#"{"content":\#(content),"type":"orderbooksnapshot"}"#).count == 1)
    }
}
