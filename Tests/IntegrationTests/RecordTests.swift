import Foundation
import Testing

@testable import App

@Suite("What hoga exchange record writes, hoga plays")
struct RecordTests {
    private let path = NSTemporaryDirectory() + "hoga-record-\(UUID().uuidString).jsonl"

    @Test("A recording of a simulated exchange holds list, book, trades and candles")
    func roundTrip() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let record = try HogaProcess.run([
            "exchange", "record", path, "--exchange", "simulated", "--krw-markets", "10",
            "--details", "BTC_KRW", "--for", "4s",
        ])
        #expect(record.status == 0, "\(record.errors)")
        #expect(record.errors.contains("recorded lines="))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.count > 100)
        for part in [
            "/public/ticker/ALL_KRW", "/public/orderbook/BTC_KRW",
            "/public/transaction_history/BTC_KRW", "/public/candlestick/BTC_KRW/1m",
            "/public/candlestick/BTC_KRW/24h", #"\"orderbookdepth\""#,
            #"\"orderbooksnapshot\""#, #"\"transaction\""#,
        ] {
            #expect(lines.contains { $0.contains(part) }, "\(part)")
        }

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

    @Test("A file that exists is refused, and stays as it is")
    func existing() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "mine\n".write(toFile: path, atomically: true, encoding: .utf8)
        let outcome = try HogaProcess.run([
            "exchange", "record", path, "--exchange", "simulated", "--for", "1s",
        ])
        #expect(outcome.status == ExitCode.usage.rawValue)
        #expect(outcome.errors.contains("name a new file"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine\n")
    }
}
