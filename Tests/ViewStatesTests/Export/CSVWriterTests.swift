import Domain
import ViewStates
import TestSupport
import Testing

@Suite("CSV follows RFC 4180")
struct CSVWriterTests {
    @Test(
        "fields with commas, quotes or line ends are quoted; unknown ones are empty",
        arguments: [
            (["a", "b"], "a,b\r\n"), ([nil, "b", nil], ",b,\r\n"), (["a,b"], "\"a,b\"\r\n"),
            (["say \"x\""], "\"say \"\"x\"\"\"\r\n"), (["two\nlines"], "\"two\nlines\"\r\n"),
            (["비트코인", ""], "비트코인,\r\n"), (["\r"], "\"\r\"\r\n"),
        ] as [([String?], String)]
    )
    func fields(row: [String?], line: String) {
        var csv = CSVWriter(header: ["h"])
        csv.row(row)
        #expect(String(decoding: csv.bytes, as: UTF8.self) == "h\r\n" + line)
    }

    @Test("random fields round-trip through a reader of RFC 4180", arguments: 0..<100)
    func roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters: [Character] = ["a", ",", "\"", "\n", "가", " "]
        let rows = (0..<5).map { _ in
            (0..<3).map { _ in
                String(
                    (0..<Int.random(in: 0...6, using: &random)).map { _ in
                        letters[Int.random(in: letters.indices, using: &random)]
                    }
                )
            }
        }
        var csv = CSVWriter(header: ["x", "y", "z"])
        for row in rows { csv.row(row) }
        let text = String(decoding: csv.bytes, as: UTF8.self)
        #expect(Self.read(text) == [["x", "y", "z"]] + rows)
    }

    /// A reader by the letter of RFC 4180, section 2.
    private static func read(_ text: String) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field = String.UnicodeScalarView()
        var isQuoted = false
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"" where isQuoted && scalars.first == "\"":
                field.append(scalar)
                scalars.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.append(String(field))
                field.removeAll()
            case "\r" where !isQuoted && scalars.first == "\n":
                scalars.removeFirst()
                rows.append(row + [String(field)])
                row = []
                field.removeAll()
            default: field.append(scalar)
            }
        }
        return rows
    }
}
