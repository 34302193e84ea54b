import JSON
import TestSupport
import Testing

@Suite("The JSON reader accepts RFC 8259 and refuses everything else")
struct JSONReaderTests {
    private struct Sample {
        var random: SeededGenerator

        mutating func value(depth: Int) -> JSONValue {
            switch Int.random(in: 0..<(depth < 4 ? 6 : 4), using: &random) {
            case 0: .null
            case 1: .boolean(Bool.random(using: &random))
            case 2: .number(number())
            case 3: .string(text())
            case 4:
                .array(
                    (0..<Int.random(in: 0...3, using: &random)).map { _ in
                        value(depth: depth + 1)
                    }
                )
            default:
                .object(
                    (0..<Int.random(in: 0...3, using: &random)).map { place in
                        .init("\(place)" + text(), value(depth: depth + 1))
                    }
                )
            }
        }

        mutating func number() -> String {
            let whole = ["0", "-0", "7", "-120", "18446744073709551616"]
            let rest = ["", ".5", ".000", "e5", "E-3", ".25e+10"]
            return pick(whole) + pick(rest)
        }

        mutating func text() -> String {
            let parts = ["", "a", "\"", "\\", "/", "\n", "\u{1}", "호가", "👩‍👩‍👧‍👦", "\u{7f}", "\0", "é"]
            return (0..<3).map { _ in pick(parts) }.joined()
        }

        mutating func pick(_ texts: [String]) -> String {
            texts[Int.random(in: 0..<texts.count, using: &random)]
        }

        mutating func space() -> String {
            pick(["", "", " ", "\n", "\t\r "])
        }

        /// The value with random white space and escapes.
        mutating func written(_ value: JSONValue) -> String {
            let text =
                switch value {
                case .null: "null"
                case .boolean(let flag): "\(flag)"
                case .number(let number): number
                case .encoded(let bytes): String(decoding: bytes, as: UTF8.self)
                case .string(let text): quoted(text)
                case .array(let values):
                    "[" + values.map { written($0) }.joined(separator: ",") + space() + "]"
                case .object(let members):
                    "{" + space()
                        + members.map { member in
                            space() + quoted(member.name) + space() + ":" + written(member.value)
                        }.joined(separator: ",") + "}"
                }
            return space() + text + space()
        }

        private mutating func quoted(_ text: String) -> String {
            var written = "\""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": written += "\\\""
                case "\\": written += "\\\\"
                case "/" where Bool.random(using: &random): written += "\\/"
                case "\n" where Bool.random(using: &random): written += "\\n"
                case _ where scalar.value < 32 || Int.random(in: 0..<4, using: &random) == 0:
                    for unit in String(scalar).utf16 {
                        let digits = String(unit, radix: 16, uppercase: true)
                        let zeros = String(repeating: "0", count: 4 - digits.count)
                        written += "\\u" + zeros + digits
                    }
                default: written.unicodeScalars.append(scalar)
                }
            }
            return written + "\""
        }
    }

    private static let depthMax = 8

    private static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        try JSONValue(parsing: bytes, depthMax: depthMax)
    }

    @Test("A document is read as written; each of its prefixes is refused", arguments: 0..<50)
    func roundTrip(seed: UInt64) throws {
        var sample = Sample(random: SeededGenerator(seed: seed))
        let value = JSONValue.object([.init("a", sample.value(depth: 0))])
        let bytes = Array(sample.written(value).utf8)
        #expect(try Self.read(bytes) == value)
        let end = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
        for count in 0...end {
            #expect(throws: JSONError.self) { try Self.read(Array(bytes.prefix(count))) }
        }
    }

    @Test("Random changes are refused or have one meaning", arguments: 0..<20)
    func mutations(seed: UInt64) throws {
        var sample = Sample(random: SeededGenerator(seed: seed))
        let value = JSONValue.array([sample.value(depth: 0), sample.value(depth: 0)])
        let bytes = Array(sample.written(value).utf8)
        for _ in 0..<200 {
            var changed = bytes
            let place = Int.random(in: 0..<changed.count, using: &sample.random)
            changed[place] = UInt8.random(in: 0...255, using: &sample.random)
            if let read = try? Self.read(changed) {
                // A value that was read is read again after writing.
                #expect(try Self.read(Array(sample.written(read).utf8)) == read)
            }
        }
    }

    @Test(
        "Invalid JSON is refused",
        arguments: [
            "", " ", "nul", "nulls", "tru", "+1", "01", "1.", ".5", "-", "1e", "1e+", "0x1", "NaN",
            "[1,]", "[,1]", "[1 2]", "[", "]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
            "{'a':1}", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\uZZZZ\"", "\"\n\"", "1 1", "{}{}",
            "// x\n{}", "\u{feff}{}", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: JSONError.self) { try Self.read(Array(text.utf8)) }
    }

    @Test("Errors tell bad encoding, duplicate names and deep nesting apart")
    func reasons() {
        func reason(_ bytes: [UInt8]) -> JSONError.Reason? {
            do throws(JSONError) {
                _ = try Self.read(bytes)
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(reason([0x22, 0xff, 0x22]) == .encoding)
        #expect(reason([0x22, 0xed, 0xa0, 0x80, 0x22]) == .encoding)
        #expect(reason(Array(#"{"a":1,"\u0061":2}"#.utf8)) == .duplicateName("a"))
        #expect(reason(Array(#"{"\u00e9":1,"e\u0301":2}"#.utf8)) == nil)
        let deep = Self.depthMax
        func nest(_ count: Int) -> [UInt8] {
            Array(
                (String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8
            )
        }
        #expect(reason(nest(deep)) == nil)
        #expect(reason(nest(deep + 1)) == .tooDeep)
        #expect(reason(nest(30_000)) == .tooDeep)
    }
}
