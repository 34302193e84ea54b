import Domain
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Bodies are read as JSON has them, and every other byte is refused")
struct BodyValueTests {
    private struct Sample {
        var random: SeededGenerator

        mutating func value(depth: Int) -> BodyValue {
            switch Int.random(in: 0..<(depth < 4 ? 6 : 4), using: &random) {
            case 0: .null
            case 1: .boolean(Bool.random(using: &random))
            case 2: .number(number())
            case 3: .text(text())
            case 4:
                .list(
                    (0..<Int.random(in: 0...3, using: &random)).map { _ in
                        value(depth: depth + 1)
                    }
                )
            default:
                .object(
                    (0..<Int.random(in: 0...3, using: &random)).map { place in
                        .init(name: "\(place)" + text(), value: value(depth: depth + 1))
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

        /// The value in another spelling.
        mutating func written(_ value: BodyValue) -> String {
            let text =
                switch value {
                case .null: "null"
                case .boolean(let flag): "\(flag)"
                case .number(let number): number
                case .text(let text): quoted(text)
                case .list(let values):
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

    @Test("What was written is read, and every beginning of it is refused", arguments: 0..<50)
    func roundTrip(seed: UInt64) throws {
        var sample = Sample(random: SeededGenerator(seed: seed))
        let value = BodyValue.object([.init(name: "a", value: sample.value(depth: 0))])
        let bytes = Array(sample.written(value).utf8)
        #expect(try BodyValue(bytes) == value)
        let end = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
        for count in 0...end {
            #expect(throws: BodyError.self) { try BodyValue(Array(bytes.prefix(count))) }
        }
    }

    @Test("No bytes stop the reader, whatever they are", arguments: 0..<20)
    func mutations(seed: UInt64) throws {
        var sample = Sample(random: SeededGenerator(seed: seed))
        let value = BodyValue.list([sample.value(depth: 0), sample.value(depth: 0)])
        let bytes = Array(sample.written(value).utf8)
        for _ in 0..<200 {
            var changed = bytes
            let place = Int.random(in: 0..<changed.count, using: &sample.random)
            changed[place] = UInt8.random(in: 0...255, using: &sample.random)
            if let read = try? BodyValue(changed) {
                // An accepted document has one meaning: written again, it reads the same.
                #expect(try BodyValue(Array(sample.written(read).utf8)) == read)
            }
        }
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", " ", "nul", "nulls", "tru", "+1", "01", "1.", ".5", "-", "1e", "1e+", "0x1", "NaN",
            "[1,]", "[,1]", "[1 2]", "[", "]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
            "{'a':1}", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\uZZZZ\"", "\"\n\"", "1 1", "{}{}",
            "// x\n{}", "\u{feff}{}", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: BodyError.self) { try BodyValue(Array(text.utf8)) }
    }

    @Test("Bytes that are no Unicode, names that stand twice and deep nests are refused as that")
    func reasons() {
        func reason(_ bytes: [UInt8]) -> BodyError.Reason? {
            do throws(BodyError) {
                _ = try BodyValue(bytes)
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(reason([0x22, 0xff, 0x22]) == .characters)
        #expect(reason([0x22, 0xed, 0xa0, 0x80, 0x22]) == .characters)
        #expect(reason(Array(#"{"a":1,"\u0061":2}"#.utf8)) == .repeated("a"))
        let deep = BodyReader.depthMax
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
