import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("A frame of book changes becomes one message for each run of one market")
struct StreamDepthTests {
    private typealias Change = OrderBookDepthDTO.Change

    private static let at: Int64 = 1_790_133_914_965_948
    private static let usual = Change(
        isAsk: true,
        price: WireDecimal(1_211),
        quantity: WireDecimal(355_001, 4)
    )

    private func decode(_ frame: String) -> [StreamMessageDTO] {
        var decoder = StreamDecoder(.v1)
        return decoder.decode(BithumbFixtures.batch([frame]))
    }

    private func depth(_ changes: [Change], symbol: String = "XRP_KRW") -> StreamMessageDTO {
        .depth(OrderBookDepthDTO(symbol: symbol, atMicroseconds: Self.at, changes: changes))
    }

    private func skipped(_ reason: String) -> StreamMessageDTO {
        .skipped(SkippedEntryDTO(key: "orderbookdepth", reason: reason))
    }

    @Test("each field is read from its own place, and zeros and the order are kept")
    func fields() {
        let frame = BithumbFixtures.depth([
            BithumbFixtures.change(["quantity": #""0""#, "total": #""0""#]),
            BithumbFixtures.change(["quantity": "0.0000", "price": #""1210.50""#]),
            BithumbFixtures.change(["orderType": #""bid""#, "price": "1209"]),
        ])
        let changes = [
            Change(isAsk: true, price: WireDecimal(1_211), quantity: WireDecimal(0)),
            Change(isAsk: true, price: WireDecimal(121_050, 2), quantity: WireDecimal(0, 4)),
            Change(isAsk: false, price: WireDecimal(1_209), quantity: WireDecimal(355_001, 4)),
        ]
        #expect(decode(frame) == [depth(changes)])
    }

    @Test("prices and quantities of every band are exact", arguments: Spelling.prices)
    func bands(spelling: Spelling) {
        var change = Self.usual
        change.price = spelling.number
        let ofPrice = BithumbFixtures.depth([BithumbFixtures.change(["price": spelling.json])])
        #expect(decode(ofPrice) == [depth([change])])
        change = Self.usual
        change.quantity = spelling.number
        let ofQuantity = BithumbFixtures.depth([BithumbFixtures.change(["quantity": spelling.json])]
        )
        #expect(decode(ofQuantity) == [depth([change])])
    }

    @Test("a number is read in every spelling the exchange uses", arguments: Spelling.readable)
    func spellings(spelling: Spelling) {
        var change = Self.usual
        change.quantity = spelling.number
        let frame = BithumbFixtures.depth([BithumbFixtures.change(["quantity": spelling.json])])
        #expect(decode(frame) == [depth([change])])
    }

    @Test("an invalid number skips its level and names the field", arguments: Spelling.unreadable)
    func rubbish(json: String, predicate: String) {
        let frame = BithumbFixtures.depth([
            BithumbFixtures.change(["price": json]), BithumbFixtures.change(),
        ])
        #expect(decode(frame) == [depth([Self.usual]), skipped("price \(predicate)")])
    }

    @Test("consecutive levels of one symbol are one message, in the order of the frame")
    func symbols() {
        let frame = BithumbFixtures.depth(
            ["XRP_KRW", "XRP_KRW", "BTC_KRW", "XRP_KRW", "XRP", "XRP_KRW_KRW"].map {
                BithumbFixtures.change(["symbol": #""\#($0)""#])
            }
        )
        #expect(
            decode(frame) == [
                depth([Self.usual, Self.usual]), depth([Self.usual], symbol: "BTC_KRW"),
                depth([Self.usual]), depth([Self.usual], symbol: "XRP"),
                depth([Self.usual], symbol: "XRP_KRW_KRW"),
            ]
        )
    }

    @Test("levels of consecutive frames are separate messages")
    func neighbors() {
        var decoder = StreamDecoder(.v1)
        let frame = BithumbFixtures.depth([BithumbFixtures.change()])
        let messages = decoder.decode(BithumbFixtures.batch([frame, frame]))
        #expect(messages == [depth([Self.usual]), depth([Self.usual])])
    }

    @Test(
        "a level without a field is skipped without affecting others; only the count may be absent"
    )
    func missingFields() {
        for (key, _) in BithumbFixtures.changeFields {
            for replacement in [String?.none, "null"] where key != "total" {
                let frame = BithumbFixtures.depth([
                    BithumbFixtures.change(), BithumbFixtures.change([key: replacement]),
                    BithumbFixtures.change(),
                ])
                let rest = depth([Self.usual, Self.usual])
                #expect(decode(frame) == [rest, skipped("\(key) is missing")])
            }
        }
        for total in [nil, "null", "[3]", #""three""#, "-1", #""1e3""#] as [String?] {
            let frame = BithumbFixtures.depth([BithumbFixtures.change(["total": total])])
            #expect(decode(frame) == [depth([Self.usual])])
        }
    }

    @Test(
        "an invalid level is skipped with the reason",
        arguments: [
            (
                BithumbFixtures.change(["orderType": #""buy""#]),
                "orderType is a code that is not known"
            ),
            (
                BithumbFixtures.change(["orderType": #""asks""#]),
                "orderType is a code that is not known"
            ),
            (BithumbFixtures.change(["orderType": "1"]), "orderType is a code that is not known"),
            (BithumbFixtures.change(["symbol": #""""#]), "symbol is not text, or empty"),
            (
                BithumbFixtures.change(["symbol": "\"\(String(repeating: "X", count: 65))\""]),
                "symbol is longer than 64 bytes"
            ),
            ("[]", "list is not an object"), ("7", "list is not an object"),
            ("null", "list is not an object"), (#""ask""#, "list is not an object"),
            ("{}", "symbol is missing"),
        ]
    )
    func unreadable(entry: String, reason: String) {
        #expect(decode(BithumbFixtures.depth([entry])) == [skipped(reason)])
        let frame = BithumbFixtures.depth([entry, BithumbFixtures.change(), entry])
        #expect(decode(frame) == [depth([Self.usual]), skipped(reason), skipped(reason)])
    }

    @Test("the time is text or a bare number, before or after the list")
    func times() {
        let changes = "[" + BithumbFixtures.change() + "]"
        for time in [#""1790133914965948""#, "1790133914965948"] {
            #expect(
                decode(BithumbFixtures.depth([BithumbFixtures.change()], datetime: time)).count == 1
            )
            let content = #"{"datetime":\#(time),"list":\#(changes)}"#
            let frame = BithumbFixtures.frame(type: "orderbookdepth", content: content)
            #expect(decode(frame) == [depth([Self.usual])])
        }
    }

    @Test(
        "a frame with an invalid time is skipped",
        arguments: [
            ("null", "is missing"), (#""""#, "is not a number"), (#""soon""#, "is not a number"),
            ("0", "is not a valid time"),
            ("-1790133914965948", "is not a valid time"),
            (#""1790133914965.948""#, "is not a valid time"),
            (#""9223372036854775808""#, "is not a valid time"), ("[1]", "is not a number"),
        ]
    )
    func badTimes(json: String, predicate: String) {
        let frame = BithumbFixtures.depth([BithumbFixtures.change(), "{}"], datetime: json)
        #expect(decode(frame) == [skipped("datetime \(predicate)")])
    }

    @Test(
        "a frame without a list is skipped with the reason",
        arguments: [
            (#"{"datetime":"1"}"#, "list is missing"),
            (#"{"list":null,"datetime":"1"}"#, "list is not a list"),
            (#"{"list":{},"datetime":"1"}"#, "list is not a list"),
            (#"{"list":[],"datetime":"1"}"#, "list has no entries"),
            ("[]", "content is not an object"), ("null", "content is not an object"),
        ]
    )
    func noList(content: String, reason: String) {
        let frame = BithumbFixtures.frame(type: "orderbookdepth", content: content)
        #expect(decode(frame) == [skipped(reason)])
    }

    @Test("the last of equal keys counts")
    func equalKeys() {
        let change =
            #"{"price":"5","symbol":"A","price":"1211",\#(BithumbFixtures.change().dropFirst())"#
        let content =
            #"{"list":["#
            + #"{},7],"list":[\#(change)],"datetime":"1","datetime":"1790133914965948"}"#
        let frame = BithumbFixtures.frame(type: "orderbookdepth", content: content)
        #expect(decode(frame) == [depth([Self.usual])])
        let late = #"{"content":\#(content),"type":"orderbookdepth"}"#
        #expect(decode(late) == [depth([Self.usual])])
    }

    @Test("a frame with too many levels is skipped")
    func limit() {
        let change = BithumbFixtures.change()
        let full = decode(BithumbFixtures.depth(Array(repeating: change, count: 4_096)))
        #expect(full == [depth(Array(repeating: Self.usual, count: 4_096))])
        let over = decode(BithumbFixtures.depth(Array(repeating: change, count: 4_097)))
        #expect(over == [skipped("list has too many entries")])
    }

    @Test("a change is independent of its spelling", arguments: UInt64(0)..<20)
    func spellingsOfEntries(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var usual: [String] = []
        var unusual: [String] = []
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            let symbol = ["XRP_KRW", "BTC_KRW", "1INCH_BTC"].randomElement(using: &generator) ?? ""
            let side = Bool.random(using: &generator) ? "ask" : "bid"
            let price = number(using: &generator)
            let quantity = number(using: &generator)
            let fields = [
                ("symbol", #""\#(symbol)""#), ("orderType", #""\#(side)""#),
                ("price", #""\#(price)""#), ("quantity", #""\#(quantity)""#), ("total", #""3""#),
            ]
            usual.append(BithumbFixtures.object(fields))
            let escaped =
                #""\u00\#(String(symbol.utf8.first ?? 0, radix: 16))"#
                + #"\#(symbol.dropFirst())""#
            let others = fields.map { key, json -> String in
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: #"  "\#(key)":\#(json)"#
                case 1: #""\#(key)" : \#(json) "#
                case 2 where key == "symbol": #""\#(key)":\#(escaped)"#
                default: #""\#(key)":\#(json)"#
                }
            }
            .shuffled(using: &generator)
            unusual.append("{" + others.joined(separator: ",") + "}")
        }
        let messages = decode(BithumbFixtures.depth(usual))
        #expect(decode(BithumbFixtures.depth(unusual)) == messages)
        let count = messages.reduce(0) { sum, message in
            guard case .depth(let depth) = message else { return sum }
            return sum + depth.changes.count
        }
        #expect(count == usual.count)
    }

    /// Digits of any length around those that fit 64 bits, mostly with a point.
    private func number(using generator: inout SeededGenerator) -> String {
        var digits = (0..<Int.random(in: 1...22, using: &generator))
            .map { _ in String(Int.random(in: 0...9, using: &generator)) }
        if Bool.random(using: &generator) {
            digits.insert(".", at: Int.random(in: 0...digits.count, using: &generator))
        }
        return digits.joined()
    }
}
