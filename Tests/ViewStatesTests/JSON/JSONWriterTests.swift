import Domain
import Foundation
import TestSupport
import Testing

@testable import ViewStates

@Suite("JSON as bytes: what is written is what any other reader reads")
struct JSONWriterTests {
    @Test("Every text survives, read by Foundation")
    func strings() throws {
        var generator = SeededGenerator(seed: 6)
        for round in 0..<1_000 {
            let text = randomText(length: round % 40, using: &generator)
            var json = JSONWriter(capacity: 0)
            json.array([text]) { $0.string($1) }
            let read = try JSONDecoder().decode([String].self, from: Data(json.bytes))
            // Compared by scalars, because strings are equal by canonical equivalence.
            #expect(read.first.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
        }
    }

    @Test("Every control character, quote and backslash is escaped, nothing else")
    func escapes() throws {
        for value in UInt8(0)..<0x80 {
            let text = String(Unicode.Scalar(value))
            var json = JSONWriter(capacity: 0)
            json.string("a" + text + "b")
            let plain = Array("\"a\(text)b\"".utf8)
            let isPlain = value >= 0x20 && text != "\"" && text != "\\"
            #expect((json.bytes == plain) == isPlain, "\(value)")
            #expect(json.bytes.allSatisfy { $0 >= 0x20 })
            #expect(try OrderedJSON(json.bytes) == .string("a" + text + "b"))
        }
    }

    @Test("Commas stand between members and elements and nowhere else")
    func structure() {
        var json = JSONWriter(capacity: 0)
        json.object { json in
            json.key("empty")
            json.object { _ in }
            json.key("none")
            json.array([Int]()) { $0.integer($1) }
            json.key("many")
            json.array([1, 2]) { json, number in
                json.array([number]) { $0.integer($1) }
            }
            json.string("text", "t")
            json.string("noText", nil)
            json.integer("noNumber", nil)
            json.boolean("yes", true)
            json.boolean("no", false)
            json.boolean("perhaps", nil)
            json.decimal("decimal", "-0.50")
            json.decimal("noDecimal", nil)
            json.time("time", SampleBoard.start)
            json.time("noTime", nil)
        }
        let expected =
            #"{"empty":{},"none":[],"many":[[1],[2]],"text":"t","noText":null,"#
            + #""noNumber":null,"yes":true,"no":false,"perhaps":null,"decimal":"-0.5","#
            + #""noDecimal":null,"time":"2026-11-20T21:03:10.000000+09:00","noTime":null}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    }

    @Test("Whole numbers are written plainly", arguments: [0, 7, -7, .max, .min])
    func integers(number: Int) throws {
        var json = JSONWriter(capacity: 0)
        json.integer(number)
        #expect(try OrderedJSON(json.bytes) == .number("\(number)"))
    }

    @Test(
        "Decimals are strings in canonical form",
        arguments: [
            ("0", "0"), ("-0", "0"), ("1.50", "1.5"), ("100", "100"), (".5", "0.5"),
            ("1e-7", "0.0000001"), ("-12.340", "-12.34"),
            ("0.1234567890123456785", "0.123456789012345678"),
        ] as [(FixedDecimal, String)]
    )
    func decimals(value: FixedDecimal, text: String) throws {
        var json = JSONWriter(capacity: 0)
        json.decimal(value)
        #expect(try OrderedJSON(json.bytes) == .string(text))
    }

    @Test("Decimals and times are read from their own forms only")
    func decodables() {
        let decoder = JSONDecoder()
        for text in ["[1.5]", #"["1,5"]"#, #"[""]"#, "[null]", #"["NaN"]"#] {
            #expect(throws: DecodingError.self) {
                try decoder.decode([FixedDecimal].self, from: Data(text.utf8))
            }
        }
        for text in ["[0]", #"["2026-11-20"]"#, "[null]"] {
            #expect(throws: DecodingError.self) {
                try decoder.decode([Timestamp].self, from: Data(text.utf8))
            }
        }
    }
}
