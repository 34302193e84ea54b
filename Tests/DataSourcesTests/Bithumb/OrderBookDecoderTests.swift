import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("An order book decoder reads a book or refuses the body")
struct OrderBookDecoderTests {
    private static let book = OrderBookDTO(
        symbol: "XRP_KRW",
        atMicroseconds: 1_790_133_914_965_000,
        asks: [BookLevelDTO(price: WireDecimal(1_210), quantity: WireDecimal(1_200_421, 4))],
        bids: [
            BookLevelDTO(price: WireDecimal(1_209), quantity: WireDecimal(355, 1)),
            BookLevelDTO(price: WireDecimal(1_208), quantity: WireDecimal(0)),
        ]
    )

    private func decode(
        _ body: String,
        symbol: String = "XRP_KRW"
    ) throws(DataSourceError) -> OrderBookDTO {
        var decoder = OrderBookDecoder()
        return try decoder.decode(Array(body.utf8), symbol: symbol)
    }

    @Test("each field is read from its own place")
    func fields() throws {
        #expect(try decode(BithumbFixtures.book()) == Self.book)
        let extra = BithumbFixtures.book(["timestamp": #""1790133914965","depth":[1,{"of":null}]"#])
        #expect(try decode(extra) == Self.book)
    }

    @Test("the time is text or a bare number, and fields of a level have any order")
    func spellings() throws {
        let body = BithumbFixtures.book([
            "timestamp": "1790133914965",
            "asks": #"[{"quantity":120.0421,"total":"1","price":1210}]"#,
        ])
        #expect(try decode(body) == Self.book)
    }

    @Test("prices and quantities of every band are exact", arguments: Spelling.prices)
    func bands(spelling: Spelling) throws {
        let level = #"{"price":\#(spelling.json),"quantity":\#(spelling.json)}"#
        let book = try decode(BithumbFixtures.book(["asks": "[\(level)]"]))
        #expect(book.asks == [BookLevelDTO(price: spelling.number, quantity: spelling.number)])
    }

    @Test("an invalid level is skipped and counted")
    func badLevels() throws {
        let level = #"{"price":"1210","quantity":"120.0421"}"#
        let bad = [
            "null", "[]", "7", "{}", #"{"price":"1215"}"#, #"{"quantity":"1"}"#,
            #"{"price":"x","quantity":"1"}"#, #"{"price":{},"quantity":"1"}"#,
        ]
        let asks = "[" + (bad + [level]).joined(separator: ",") + "]"
        var book = Self.book
        book.skippedCount = bad.count
        #expect(try decode(BithumbFixtures.book(["asks": asks])) == book)
    }

    @Test("empty sides are valid; a currency may be absent, another currency is malformed")
    func markets() throws {
        let empty = try decode(BithumbFixtures.book(["asks": "[]", "bids": "[]"]))
        #expect(empty.asks.isEmpty && empty.bids.isEmpty && empty.skippedCount == 0)
        #expect(try decode(BithumbFixtures.book(["order_currency": nil])) == Self.book)
        let book = BithumbFixtures.book(["order_currency": #""SUN_OLD""#])
        #expect(try decode(book, symbol: "SUN_OLD_KRW").symbol == "SUN_OLD_KRW")
        let error = #expect(throws: DataSourceError.self) { try decode(book) }
        #expect(error == DataSourceError(.malformed, "data is about another market"))
    }

    @Test(
        "a body that is not a book is malformed, with the reason",
        arguments: [
            (BithumbFixtures.book(["timestamp": nil]), "timestamp is missing"),
            (BithumbFixtures.book(["timestamp": #""now""#]), "timestamp is no time"),
            (BithumbFixtures.book(["timestamp": "0"]), "timestamp is no time"),
            (BithumbFixtures.book(["timestamp": "9223372036854776"]), "timestamp is no time"),
            (BithumbFixtures.book(["asks": nil]), "a side of the book is missing"),
            (BithumbFixtures.book(["bids": "{}"]), "a side of the book is not a list"),
            (BithumbFixtures.book(["bids": "null"]), "a side of the book is not a list"),
            (BithumbFixtures.answer(data: "[]"), "data is not an object"),
            (BithumbFixtures.answer(data: #""XRP""#), "data is not an object"),
            (BithumbFixtures.answer(data: "null"), "data is missing"),
            (#"{"status":"0000"}"#, "data is missing"), (#"{"data":{}}"#, "status is missing"),
            ("<html></html>", "the body is not"), ("", "the body is empty"),
        ]
    )
    func malformed(body: String, reason: String) {
        let error = #expect(throws: DataSourceError.self) { try decode(body) }
        #expect(error?.code == .malformed)
        #expect(error?.detail.hasPrefix(reason) == true)
    }

    @Test("an unlisted market is refused with the exchange's message")
    func unlisted() {
        let body = #"{"status":"5500","message":"상장 코인 아님"}"#
        let error = #expect(throws: DataSourceError.self) { try decode(body) }
        #expect(error?.code == .refused(status: "5500", message: "상장 코인 아님"))
    }

    @Test("a body with too many levels or truncated anywhere is malformed")
    func limits() throws {
        let level = #"{"price":"1","quantity":"1"}"#
        let side = { (count: Int) in
            "[" + Array(repeating: level, count: count).joined(separator: ",") + "]"
        }
        #expect(try decode(BithumbFixtures.book(["asks": side(4_096)])).asks.count == 4_096)
        let over = BithumbFixtures.book(["asks": side(4_097)])
        let error = #expect(throws: DataSourceError.self) { try decode(over) }
        #expect(error == DataSourceError(.malformed, "data has too many entries"))
        let body = BithumbFixtures.book()
        for length in 0..<body.utf8.count {
            let cut = #expect(throws: DataSourceError.self) {
                try decode(String(body.prefix(length)))
            }
            #expect(cut?.code == .malformed)
        }
    }
}
