import Domain
import Foundation
import ViewStates
import TestSupport
import Testing

@testable import App

@Suite("hoga export", .ownThread, .timeLimit(.minutes(4)))
struct ExportTests {
    private let folder = NSTemporaryDirectory() + "hoga-export-\(UUID().uuidString)"
    private static let simulated = ["--exchange", "simulated", "--krw-markets", "10"]

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func run(_ arguments: [String]) throws -> HogaProcess.Outcome {
        try HogaProcess.run(arguments, environment: ["XDG_DATA_HOME": folder + "/data"])
    }

    private func lines(_ text: String) -> [[Substring]] {
        text.components(separatedBy: "\r\n").dropLast().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false)
        }
    }

    @Test("candles as CSV and as JSON hold the same ascending values")
    func candles() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let exchange = try ExchangeProcess()
        let path = folder + "/btc.json"
        let csv = try run(["export", "candles", "krw-btc", "--interval", "1h"] + exchange.flags)
        #expect(csv.status == 0, "\(csv.errors)")
        #expect(!csv.errors.contains("\u{1B}"), "no progress without a terminal")
        let rows = lines(csv.output)
        #expect(rows.first?.first == "market" && rows.count > 100)
        #expect(rows.allSatisfy { $0.count == 11 })
        let times = rows.dropFirst().map { String($0[2]) }
        #expect(times == times.sorted() && Set(times).count == times.count)
        #expect(times.allSatisfy { $0.hasSuffix(":00:00.000000+09:00") })

        let bounds = ["--from", times[20], "--to", times[30]]
        let json = try run(
            ["export", "candles", "BTC_KRW", "--interval", "1h", "--format", "json", "--output"]
                + [path] + bounds + exchange.flags
        )
        #expect(json.status == 0 && json.output.isEmpty, "\(json.errors)")
        let document = try JSONDecoder().decode(
            CandleExportDocument.self,
            from: Data(contentsOf: URL(fileURLWithPath: path))
        )
        #expect(document.source.feed == .simulated && document.schema == "candles-export")
        #expect(document.state.candles.count == 10)
        let told = document.state.candles.map { TimeText.iso($0.openTime) }
        #expect(told == Array(times[20..<30]))
        let closes = document.state.candles.map(\.close.canonicalText)
        #expect(closes == rows[21...30].map { String($0[6]) })
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                $0.hasSuffix(".part")
            }.isEmpty
        )
    }

    @Test("trades equal the document's, newest first")
    func trades() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let csv = try run(["export", "trades", "BTC_KRW"] + Self.simulated)
        #expect(csv.status == 0, "\(csv.errors)")
        let rows = lines(csv.output)
        #expect(
            rows.first == [
                "market", "id", "at", "price", "quantity", "amount", "side",
                "tickDirection",
            ]
        )
        #expect(rows.count > 50 && rows.dropFirst().allSatisfy { $0.count == 8 })
        let json = try run(["export", "trades", "BTC_KRW", "--format", "json"] + Self.simulated)
        let document = try JSONDecoder().decode(
            TradesDocument.self,
            from: Data(json.output.utf8)
        )
        #expect(document.state.block.rows.count > 50)
        let times = document.state.block.rows.map(\.at)
        #expect(times == times.sorted(by: >))
    }

    @Test("favorites as CSV can be imported; as JSON they equal the document")
    func favorites() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for market in ["BTC_KRW", "ETH_BTC"] {
            #expect(try run(["favorites", "add", market]).status == 0)
        }
        let path = folder + "/mine.csv"
        #expect(try run(["export", "favorites", "--output", path]).status == 0)
        #expect(
            try String(contentsOfFile: path, encoding: .utf8)
                == "market,position\r\nBTC_KRW,1\r\nETH_BTC,2\r\n"
        )
        #expect(try run(["favorites", "import", path, "--replace"]).status == 0)
        let json = try run(["export", "favorites", "--format", "json"])
        #expect(json.output.contains(#""schema":"favorites""#))
        #expect(json.output.contains(#""rows":[{"market":"BTC_KRW","position":1},"#))
    }

    @Test("an existing file is only replaced on request")
    func existing() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/there.csv"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        let command = ["export", "trades", "BTC_KRW", "--output", path] + Self.simulated
        let refused = try run(command)
        #expect(refused.status == 64 && refused.errors.contains("--force"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        #expect(try run(command + ["--force"]).status == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("market,id,at"))
    }

    @Test(
        "a failed export leaves no file and names the reason",
        arguments: [
            (
                ["candles", "NOPE_KRW", "--exchange", "simulated", "--krw-markets", "10"], 64,
                "NOPE"
            ),
            (
                [
                    "candles", "BTC_KRW", "--rest-url", "http://127.0.0.1:9", "--ws-url",
                    "ws://127.0.0.1:9",
                ], 69, "did not answer"
            ),
            (["favorites", "--store", "none"], 78, "--store"),
        ] as [([String], Int32, String)]
    )
    func nothing(arguments: [String], status: Int32, message: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/none.csv"
        let outcome = try run(["export"] + arguments + ["--output", path])
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy {
                $0 == "data"
            }
        )
    }

    @Test("SIGTERM during an export leaves no file")
    func interrupted() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The server accepts connections and never answers, so that the program waits.
        let server = LoopbackServer { connection in connection.waitForEnd() }
        defer { server.stop() }
        let export = try RunningProgram.hoga([
            "export", "candles", "BTC_KRW", "--output", folder + "/x.csv", "--store", "none",
            "--rest-url", "http://127.0.0.1:\(server.port)", "--ws-url",
            "ws://127.0.0.1:\(server.port)",
        ])
        defer { export.end(by: SIGKILL) }
        // The program handles signals before it connects.
        while export.isRunning, server.acceptedCount == 0 { sched_yield() }
        #expect(export.end(by: SIGINT) == 69)
        let text = try export.wholeText()
        #expect(text.contains("interrupted"), "\(text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
