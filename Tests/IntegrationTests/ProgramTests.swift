import BuildInfo
import Domain
import Foundation
import ViewStates
import Testing

@testable import App

@Suite("Commands without a terminal", .ownThread, .timeLimit(.minutes(4)))
struct ProgramTests {
    @Test("--version prints version and commit")
    func version() throws {
        let outcome = try HogaProcess.run(["--version"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "hoga \(BuildInfo.version) (\(BuildInfo.commit))\n")
    }

    @Test("--help of every command names its flags")
    func help() throws {
        for command in Command.allCases {
            guard case .help(let found?) = try CommandLineReader.read(command.words + ["--help"])
            else {
                Issue.record("\(command.words) has no help")
                continue
            }
            let text = HelpText.text(of: found)
            for setting in command.settings { #expect(text.contains(setting.flag)) }
        }
        let outcome = try HogaProcess.run(["watch", "--help"])
        #expect(outcome.status == 0 && outcome.output.contains("--period"))
    }

    @Test(
        "mistakes have an exit status and a message that names them",
        arguments: [
            (["dance"], [:], 64, "'dance'"),
            (["watch", "--period", "2H"], [:], 64, "--period"),
            (["snapshot", "everything"], [:], 64, "market-list"),
            (["snapshot", "market-detail"], [:], 64, "--market"),
            (
                ["snapshot", "order-book", "--market", "BTC_KRW", "--depth", "31"], [:], 64,
                "--depth"
            ),
            (
                ["exchange", "record", "/proc/nonexistent/a.jsonl"], [:], 69,
                "/proc/nonexistent/a.jsonl"
            ),
            (["snapshot", "market-list", "--sort", "size"], [:], 64, "--sort"),
            (
                ["watch", "--exchange", "replay:/proc/nonexistent.jsonl"], [:], 64,
                "/proc/nonexistent.jsonl"
            ),
            (["config", "show"], ["HOGA_PERIOD": "2H"], 78, "HOGA_PERIOD"),
            (["config", "show"], ["HOGA_SPEED": "1"], 78, "HOGA_SPEED"),
            (
                ["snapshot", "market-list"], ["HOGA_CA_FILE": "/proc/nonexistent.pem"], 78,
                "HOGA_CA_FILE"
            ),
            (["serve", "--listen", "192.0.2.1:0"], [:], 69, "192.0.2.1"),
        ]
    )
    func mistakes(
        arguments: [String],
        environment: [String: String],
        status: Int32,
        message: String
    ) throws {
        let outcome = try HogaProcess.run(arguments, environment: environment)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("hoga: "))
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "hoga snapshot prints every document of a market",
        arguments: ["market-detail", "order-book", "trades", "candles", "snapshot"]
    )
    func documents(name: String) throws {
        let outcome = try HogaProcess.run([
            "snapshot", name, "--market", "krw-btc", "--exchange", "simulated",
            "--krw-markets", "10",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let document = try #require(object as? [String: Any])
        #expect(document["schema"] as? String == name)
        let state = try #require(document["state"] as? [String: Any])
        let text = outcome.output
        switch name {
        case "snapshot": #expect(Set(state.keys) == ["market-list", "market-detail"])
        case "market-detail":
            #expect(Set(state.keys) == ["header", "orderBook", "trades", "chart"])
        default: #expect(state["market"] as? String == "BTC_KRW")
        }
        #expect(!text.contains(#""phase":"loading""#), "what was asked for is there")
        #expect(!text.contains(#""phase":"failed""#))
    }

    @Test("an unknown market is named")
    func unknownMarket() throws {
        let outcome = try HogaProcess.run([
            "snapshot", "trades", "--market", "NOPE_KRW", "--exchange", "simulated",
            "--krw-markets", "10",
        ])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("NOPE_KRW"))
    }

    @Test("an unreadable configuration file is an error that names it")
    func unreadableConfiguration() throws {
        let folder = NSTemporaryDirectory() + "hoga-config-\(UUID().uuidString)"
        let file = folder + "/hoga/config.json"
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = try HogaProcess.run(
            ["config", "show"],
            environment: ["XDG_CONFIG_HOME": folder]
        )
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains(file))
    }

    @Test(
        "an incomplete write to standard output is an error",
        arguments: [
            ["--help"], ["config", "show"], ["watch", "--exchange", "simulated"],
            ["snapshot", "market-list", "--exchange", "simulated"],
        ]
    )
    func fullDisk(arguments: [String]) throws {
        let outcome = try HogaProcess.run(arguments, outputPath: "/dev/full")
        #expect(outcome.status == 70)
        #expect(outcome.errors.contains("cannot write to standard output"))
    }

    @Test("config show prints every setting with its source")
    func configShow() throws {
        let outcome = try HogaProcess.run(
            ["config", "show", "--lang", "en"],
            environment: ["HOGA_PERIOD": "MID"]
        )
        #expect(outcome.status == 0)
        for setting in Setting.allCases { #expect(outcome.output.contains(setting.key)) }
        #expect(outcome.output.contains("flag"))
        #expect(outcome.output.contains("environment"))
    }

    @Test("an unreachable exchange gives exit status 69 and a document with the reason")
    func unreachable() throws {
        let unreachable = ["--rest-url", "http://127.0.0.1:9", "--ws-url", "ws://127.0.0.1:9"]
        let outcome = try HogaProcess.run(["snapshot", "market-list"] + unreachable)
        #expect(outcome.status == 69)
        let document = try JSONDecoder().decode(
            MarketListDocument.self,
            from: Data(outcome.output.utf8)
        )
        #expect(document.state.health.phase == .failed)
        #expect(document.state.health.error?.code == "unreachable")
        #expect(document.source.feed == .live)
    }

    @Test("on a pipe hoga watch prints the simulated list once, labeled, without escapes")
    func watchOnPipe() throws {
        let outcome = try HogaProcess.run(["watch", "--exchange", "simulated"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("비트코인"))
        #expect(outcome.output.split(separator: "\n").count > 480)
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(!outcome.output.contains("실시간"))
    }

    @Test("only --or-simulated continues with the simulator, and says so")
    func orSimulated() throws {
        let unreachable = ["--rest-url", "http://127.0.0.1:9", "--ws-url", "ws://127.0.0.1:9"]
        let outcome = try HogaProcess.run(["watch", "--or-simulated"] + unreachable)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("using the simulator"))
        #expect(outcome.output.contains("비트코인"))
    }

    @Test("hoga snapshot accepts the parameters of the HTTP contract")
    func snapshot() throws {
        let outcome = try HogaProcess.run([
            "snapshot", "market-list", "--exchange=simulated", "--quote", "BTC", "--sort", "name",
            "--limit", "3", "--lang", "en", "--period", "1H",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let document = try JSONDecoder().decode(
            MarketListDocument.self,
            from: Data(outcome.output.utf8)
        )
        #expect(document.state.query.quote == "BTC")
        #expect(document.state.query.sort == "name")
        #expect(document.state.query.sortDirection == "asc")
        #expect(document.state.query.changePeriod == "1H")
        #expect(document.state.rows.count == 3)
        #expect(document.state.total == 13)
        #expect(document.source.feed == .simulated)
    }

    @Test("hoga snapshot of a recording waits for its end")
    func snapshotOfRecording() throws {
        let recording = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/recording.jsonl").path
        let outcome = try HogaProcess.run([
            "snapshot", "market-list", "--exchange", "replay:\(recording)",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let document = try JSONDecoder().decode(
            MarketListDocument.self,
            from: Data(outcome.output.utf8)
        )
        #expect(document.state.health.phase == .ended)
        #expect(document.source.feed == .replay)
        #expect(document.state.rows.first?.price?.canonicalText == "103")
    }
}
