import Domain
import FileOutput
import Foundation
import ViewStates
import TestSupport
import Testing

@testable import App

@Suite("Log text stays on one line in both formats")
struct LogTextTests {
    private static let time = Timestamp(microseconds: 0)

    private func line(_ format: LogFormat, _ message: String, _ fields: [LogField] = []) -> String {
        let bytes = LogText.line(format, at: Self.time, .warning, message, fields)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("fields follow the message in text and are keys in JSON")
    func formats() throws {
        let fields: [LogField] = [
            .number("attempt", 3), .word("code", "timed_out"), .text("detail", "no \"route\""),
            .measure("milliseconds", 1.25),
        ]
        #expect(
            line(.text, "feed reconnecting", fields)
                == "1970-01-01T09:00:00.000000+09:00 warning feed reconnecting attempt=3 "
                + "code=timed_out detail=\"no \\\"route\\\"\" milliseconds=1.25\n"
        )
        let json = try OrderedJSON(Array(line(.json, "feed reconnecting", fields).utf8))
        #expect(
            json.keys
                == ["time", "level", "message", "attempt", "code", "detail", "milliseconds"]
        )
        #expect(json["time"] == .string("1970-01-01T09:00:00.000000+09:00"))
        #expect(json["level"] == .string("warning"))
        #expect(json["message"] == .string("feed reconnecting"))
        #expect(json["attempt"] == .number("3"))
        #expect(json["detail"] == .string("no \"route\""))
        #expect(json["milliseconds"] == .number("1.25"))
    }

    @Test("line breaks, cursor movements and direction changes are escaped")
    func controls() throws {
        let dangerous =
            "a\nb\r\u{1B}[2J\u{0}\u{7F}\u{9B}\u{85}\u{2028}\u{202E}\u{2066}"
            + "\u{FEFF}\u{E0001}\u{E007F}z"
        for format in LogFormat.allCases {
            let written = line(format, dangerous, [.text("t", dangerous), .word("w", dangerous)])
            let scalars = written.dropLast().unicodeScalars
            #expect(written.hasSuffix("\n"))
            #expect(scalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(scalars.allSatisfy { $0.properties.generalCategory != .format })
            #expect(!scalars.contains("\u{2028}"))
            #expect(written.contains("\\ufeff\\udb40\\udc01\\udb40\\udc7fz"))
            #expect(written.contains("a\\u000ab\\u000d\\u001b[2J\\u0000\\u007f\\u009b\\u0085"))
        }
        let json = try OrderedJSON(Array(line(.json, dangerous).utf8))
        #expect(json["message"] == .string(dangerous), "nothing is lost")
    }

    @Test("any text round-trips through JSON", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var text = ""
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            let value = UInt32.random(in: 0...0x2100, using: &generator)
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        let written = line(.json, text, [.text("t", text)])
        #expect(written.unicodeScalars.filter { $0 == "\n" }.count == 1)
        let data = Data(written.utf8)
        let object = try JSONDecoder().decode([String: String].self, from: data)
        #expect(object["message"] == text && object["t"] == text)
    }

    @Test("infinite numbers are null in JSON")
    func infinity() {
        #expect(line(.json, "m", [.measure("x", .infinity)]).hasSuffix(",\"x\":null}\n"))
    }
}

@Suite("The service log reports dropped lines")
struct ServiceLogTests {
    @Test("the count of dropped lines follows the next line that fits")
    func dropped() throws {
        let path = NSTemporaryDirectory() + "hoga-service-\(UUID().uuidString).log"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let output = BufferedOutput(try FileOutput(appendingTo: path), bytesMax: 500)
        let log = ServiceLog(.text, to: output) { Timestamp(microseconds: 0) }
        log.write(.info, "first", [.number("n", 1)])
        log.flush()
        for _ in 0..<3 { log.write(.info, String(repeating: "x", count: 600)) }
        #expect(log.droppedCount == 3)
        log.write(.info, "after")
        log.write(.info, "again")
        log.flush()
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let words = lines.map { $0.dropFirst("1970-01-01T09:00:00.000000+09:00 ".count) }
        #expect(
            words == [
                "info first n=1", "info after", "warning log lines dropped count=3", "info again",
            ]
        )
    }
}
