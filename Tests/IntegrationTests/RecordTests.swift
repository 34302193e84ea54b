import Foundation
import Testing

@testable import App

@Suite("hoga exchange record", .ownThread, .timeLimit(.minutes(4)))
struct RecordTests {
    private let path = NSTemporaryDirectory() + "hoga-record-\(UUID().uuidString).jsonl"

    @Test("a recording contains all that hoga reads of the exchange")
    func roundTrip() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let parts = [
            "/public/ticker/ALL_KRW", "/public/ticker/ALL_BTC", "/public/orderbook/BTC_KRW",
            "/public/transaction_history/BTC_KRW", "/public/candlestick/BTC_KRW/1m",
            "/public/candlestick/BTC_KRW/24h", "/public/assetsstatus/ALL", "/v1/market/all",
            "/v1/market/virtual_asset_warning", #"\"orderbookdepth\""#,
            #"\"orderbooksnapshot\""#, #"\"transaction\""#,
        ]
        let errors = try record { text in parts.allSatisfy { text.contains($0) } }
        #expect(errors.contains("recorded lines="))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for part in parts { #expect(text.contains(part), "\(part)") }

        let list = try HogaProcess.run(["snapshot", "market-list", "--exchange", "replay:" + path])
        #expect(list.status == 0, "\(list.errors)")
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [String: Any]
        )
        let source = try #require(document["source"] as? [String: Any])
        #expect(source["feed"] as? String == "replay")
        let state = try #require(document["state"] as? [String: Any])
        #expect(state["total"] as? Int == 10)
    }

    @Test("a recording ends after its duration")
    func duration() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let record = try HogaProcess.run([
            "exchange", "record", path, "--exchange", "simulated", "--krw-markets", "10",
            "--for", "1s",
        ])
        #expect(record.status == 0, "\(record.errors)")
        #expect(record.errors.contains("recorded lines="))
    }

    /// Records a simulated exchange until the file meets a condition, then ends the recording.
    ///
    /// - Returns: the errors of the program.
    private func record(until isEnough: (String) -> Bool) throws -> String {
        let record = try RunningProgram.hoga([
            "exchange", "record", path, "--exchange", "simulated", "--krw-markets", "10",
            "--details", "BTC_KRW",
        ])
        while !Task.isCancelled,
            !isEnough((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
        {
            usleep(20_000)
        }
        #expect(record.end() == 0)
        return try record.wholeText()
    }

    @Test("a recording of API 2.x alone is refused, because no replay serves it")
    func otherAPI() throws {
        let outcome = try HogaProcess.run([
            "exchange", "record", path, "--exchange", "simulated", "--api", "2", "--for", "1s",
        ])
        #expect(outcome.status == ExitCode.usage.rawValue)
        #expect(outcome.errors.contains("a recording holds API 1.x; leave out --api"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("an existing file is refused and unchanged")
    func existing() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "mine\n".write(toFile: path, atomically: true, encoding: .utf8)
        let outcome = try HogaProcess.run([
            "exchange", "record", path, "--exchange", "simulated", "--for", "1s",
        ])
        #expect(outcome.status == ExitCode.usage.rawValue)
        #expect(outcome.errors.contains("choose a new file"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine\n")
    }
}
