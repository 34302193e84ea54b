import Foundation
import Testing

@testable import App

@Suite("hoga watch with --once and --plain", .ownThread, .timeLimit(.minutes(4)))
struct WatchOutputTests {
    private static let simulated = ["--exchange", "simulated", "--krw-markets", "10"]

    private func run(_ arguments: [String]) throws -> [String] {
        let outcome = try HogaProcess.run(["watch"] + arguments + Self.simulated)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.output.contains("\u{1B}"))
        return outcome.output.split(separator: "\n").map { String($0) }
    }

    @Test("--plain prints the list as sentences up to --limit")
    func list() throws {
        let lines = try run(["--plain", "--limit", "3"])
        #expect(lines.count == 4)
        #expect(lines[0].hasPrefix("hoga 거래소, 모의 SIMULATED, 변동 24시간, "))
        for line in lines.dropFirst() {
            #expect(line.contains(", 현재가 ") && line.contains(", 변동률 "))
        }
    }

    @Test("a market is printed as sentences and as columns, in English too")
    func market() throws {
        let lines = try run(["BTC_KRW", "--plain", "--lang", "en", "--depth", "2", "--limit", "1"])
        #expect(lines[0].hasPrefix("hoga Bitcoin BTC/KRW, SIMULATED, "))
        #expect(lines.count { $0.hasPrefix("Ask ") } == 2)
        #expect(lines.count { $0.hasPrefix("Bid ") } == 2)
        #expect(lines.count { $0.hasPrefix("trades ") } == 1)
        let columns = try run(["BTC_KRW", "--once"])
        #expect(columns.contains { $0.hasPrefix("매도 ") } && columns.contains { $0.contains("체결량") })
    }

    @Test(
        "favorites, deposits and holdings are printed",
        arguments: [
            ("favorites", "관심 자산이 없습니다"), ("assets", "비트코인, 입금 "), ("portfolio", "현금 "),
        ]
    )
    func pages(name: String, sentence: String) throws {
        let lines = try run([name, "--plain"])
        #expect(lines.contains { $0.contains(sentence) }, "\(lines.prefix(5))")
        #expect(try !run([name, "--once"]).isEmpty)
    }

    @Test("an unknown market is named")
    func unknown() throws {
        let outcome = try HogaProcess.run(["watch", "NOPE_KRW", "--once"] + Self.simulated)
        #expect(outcome.status == 64 && outcome.errors.contains("NOPE_KRW"))
    }

    @Test("--every prints changes until SIGTERM")
    func repeated() throws {
        let watch = try RunningProgram.hoga(
            ["watch", "--plain", "--limit", "2", "--every", "1s", "--rate", "500"]
                + Self.simulated,
            reading: .output
        )
        defer { watch.end(by: SIGKILL) }
        let text = try watch.text { $0.components(separatedBy: "변경").count >= 3 }
        #expect(watch.end() == 0)
        #expect(text.components(separatedBy: "hoga 거래소").count == 2, "the heading stands once")
    }
}
