import Foundation
import JSON
import TestSupport
import Testing

@Suite("The JSON writer writes what other readers read")
struct JSONWriterTests {
    @Test("Foundation reads every text back unchanged")
    func strings() throws {
        var generator = SeededGenerator(seed: 6)
        for round in 0..<1_000 {
            let text = randomText(length: round % 40, using: &generator)
            var json = JSONWriter()
            json.array([text]) { $0.string($1) }
            let read = try JSONDecoder().decode([String].self, from: Data(json.bytes))
            // Compared by scalars, because string equality is canonical equivalence.
            #expect(read.first.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
        }
    }

    @Test("Only control characters, quotes and backslashes are escaped")
    func escapes() throws {
        for value in UInt8(0)..<0x80 {
            let text = String(Unicode.Scalar(value))
            var json = JSONWriter()
            json.string("a" + text + "b")
            let plain = Array("\"a\(text)b\"".utf8)
            let isPlain = value >= 0x20 && text != "\"" && text != "\\"
            #expect((json.bytes == plain) == isPlain, "\(value)")
            #expect(json.bytes.allSatisfy { $0 >= 0x20 })
            #expect(try OrderedJSON(json.bytes) == .string("a" + text + "b"))
        }
    }

    @Test("Commas separate members and elements and nothing else")
    func structure() {
        var json = JSONWriter()
        json.object { json in
            json.key("empty")
            json.object { _ in }
            json.key("none")
            json.array([Int]()) { $0.integer($1) }
            json.key("many")
            json.array([1, 2]) { json, number in
                json.array([number]) { $0.integer($1) }
            }
            json.key("text")
            json.string("t")
            json.key("unknown")
            json.null()
            json.key("no")
            json.boolean(false)
            json.name("\"")
            json.encoded(Array("1.5".utf8))
        }
        json.extendObject { json in
            json.key("plain")
            json.plainString { $0.append(UInt8(ascii: "p")) }
        }
        let expected =
            #"{"empty":{},"none":[],"many":[[1],[2]],"text":"t","unknown":null,"no":false,"#
            + #""\"":1.5,"plain":"p"}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    }

    @Test("Integers are written in full", arguments: [0, 7, -7, .max, .min])
    func integers(number: Int) throws {
        var json = JSONWriter()
        json.integer(number)
        #expect(try OrderedJSON(json.bytes) == .number("\(number)"))
    }

    @Test("Chosen characters are escaped as UTF-16 code units")
    func chosenEscapes() {
        let escaped = JSONText.escape("a\u{202E}\"\\\u{E0001}") { $0 != "a" }
        #expect(escaped == #"a\u202e\"\\\udb40\udc01"#)
    }
}

@Suite("JSON values keep order and are written as they were read")
struct JSONValueTests {
    @Test("A value read and written again is the same bytes")
    func roundTrip() throws {
        let bytes = Array(#"{"b":[1,-2.50,true,null,"\u0001가"],"a":{},"c\"":""}"#.utf8)
        #expect(try JSONValue(parsing: bytes, depthMax: 8).bytes == bytes)
    }

    @Test("Members are found, replaced in place and added at the end")
    func members() {
        let value: JSONValue = ["a": 1, "b": ["x", nil, true]]
        #expect(value["a"] == .integer(1) && value["z"] == nil && value["a"]?["b"] == nil)
        let changed = value.with("a", "2").with("c", .encoded(Array("[]".utf8)))
        #expect(
            String(decoding: changed.bytes, as: UTF8.self)
                == #"{"a":"2","b":["x",null,true],"c":[]}"#
        )
    }

    @Test(
        "Numbers with zero fractions are whole",
        arguments: [("12", 12), ("12.0", 12), ("-0", 0)]
    )
    func wholeNumbers(text: String, number: Int) {
        #expect(JSONValue.number(text).wholeNumber == number)
    }

    @Test("Other numbers are not whole", arguments: ["1.5", "1e3", "99999999999999999999"])
    func otherNumbers(text: String) {
        #expect(JSONValue.number(text).wholeNumber == nil)
    }
}
