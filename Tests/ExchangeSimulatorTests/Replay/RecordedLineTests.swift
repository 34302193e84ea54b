import Domain
import FoundationEssentials
import Testing

@testable import ExchangeSimulator

@Suite("Recorded lines are read in any JSON spelling")
struct RecordedLineTests {
    @Test("keys in any order, whitespace, escapes and unknown members are accepted")
    func spelling() throws {
        let text =
            #" { "text" : "a\"b\\c\/\u00e9\ud55c\uD83D\uDE00\n" , "more":[{"x":"]"},-1.5e3,true],"#
            + #""kind":"frame","at":"2026-11-20T21:03:11.151220+09:00" } "#
        let (at, line) = try RecordedLine.read(Array(text.utf8))
        #expect(line == .frame(text: Array("a\"b\\c/é한😀\n".utf8)))
        #expect(
            at
                == SeoulTime.timestamp(
                    year: 2026,
                    month: 11,
                    day: 20,
                    hour: 21,
                    minute: 3,
                    second: 11,
                    microsecond: 151_220
                )
        )
    }

    @Test("a line of more bytes than the limit is cut, and the next one is whole")
    func longLine() {
        let line = Array("0123456789".utf8)
        // A chunk of the file ends within the long line.
        let long = Array(repeating: UInt8(ascii: "x"), count: 300_000)
        var lines = LineReader(Data(line + [0x0A] + long + [0x0A] + line), lineBytesMax: 10)
        #expect(lines.next()?.bytes == line)
        #expect(lines.next()?.bytes == Array(long.prefix(10)))
        #expect(lines.next()?.bytes == line)
        #expect(lines.next() == nil)
    }

    @Test("any text survives writing and reading a line")
    func roundTrip() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<300 {
            let scalars = (0..<random.below(40)).compactMap { _ in
                Unicode.Scalar(UInt32(random.below(random.happens(500) ? 0x80 : 0x1_1000)))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let encoded = try JSONEncoder().encode([
                "at": "2026-11-20T00:00:00Z", "kind": "rest", "path": text, "body": text,
            ])
            var bytes = [UInt8](encoded)
            bytes.removeLast()
            bytes += Array(#","status":418}"#.utf8)
            let line = try RecordedLine.read(bytes).line
            #expect(line == .rest(path: text, status: 418, body: Array(text.utf8)))
        }
    }

    @Test(
        "times with any number of fraction digits and any offset are read",
        arguments: [
            ("2026-11-20T21:03:11+09:00", 1_795_176_191_000_000),
            ("2026-11-20T12:03:11Z", 1_795_176_191_000_000),
            ("2026-11-20T12:03:11.5Z", 1_795_176_191_500_000),
            ("2026-11-20 07:03:11.000001999-0500", 1_795_176_191_000_001),
            ("1970-01-01T00:00:00.000000+00:00", 0),
        ]
    )
    func times(text: String, microseconds: Int64) {
        #expect(Timestamp(isoText: Array(text.utf8))?.microseconds == microseconds)
    }

    @Test(
        "malformed times are rejected",
        arguments: [
            "", "2026-11-20", "2026-11-20T21:03:11", "2026-13-20T21:03:11Z",
            "2026-11-20T25:03:11Z", "2026-11-20T21:03:11.Z", "2026-11-20T21:03:11Zx", "now",
        ]
    )
    func noTimes(text: String) {
        #expect(Timestamp(isoText: Array(text.utf8)) == nil)
    }

    @Test(
        "a line truncated anywhere is rejected",
        arguments: [
            #"{"at":"2026-11-20T00:00:00Z","kind":"rest","path":"/p","status":200,"body":"\u00e9"}"#
        ]
    )
    func cuts(line: String) throws {
        let bytes = Array(line.utf8)
        _ = try RecordedLine.read(bytes)
        for count in 0..<bytes.count {
            #expect(throws: RecordedLine.Fault.self) {
                _ = try RecordedLine.read(Array(bytes[..<count]))
            }
        }
    }

    @Test("deep nesting is skipped up to a bound without overflowing the stack")
    func nesting() {
        func line(_ depth: Int) -> [UInt8] {
            let open = String(repeating: "[", count: depth)
            let close = String(repeating: "]", count: depth)
            return Array(
                #"{"x":\#(open)\#(close),"at":"2026-11-20T00:00:00Z","kind":"k"}"#.utf8
            )
        }
        #expect(throws: Never.self) { _ = try RecordedLine.read(line(100)) }
        #expect(throws: RecordedLine.Fault.notAnObject) {
            _ = try RecordedLine.read(line(100_000))
        }
    }
}
