import Domain
import ExchangeSimulator
import Foundation
import PresentationTerminal
import TestSupport
import Testing

@testable import App

@Suite("Screens of hoga watch --server", .ownThread, .timeLimit(.minutes(4)))
struct TerminalRemoteTests {
    /// Runs a body beside a service with a store of its own and a token for it.
    private static func withService(
        _ exchange: MovingExchange,
        holdings: [String] = [],
        _ body: (RemoteRigService, _ port: UInt16, _ token: String) async throws -> Void
    ) async throws {
        let folder = RemoteRig.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for holding in holdings {
            let outcome = try HogaProcess.run(
                ["holdings", "put"] + holding.split(separator: " ").map(String.init),
                environment: ["XDG_DATA_HOME": folder]
            )
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
        let token = try RemoteRig.token(folder: folder)
        let port = LoopbackServer.reservedPort()
        let service = try RemoteRigService(
            port: port,
            folder: folder,
            exchange: exchange.arguments.split(separator: " ").map(String.init)
        )
        defer { service.stop() }
        try await body(service, port, token)
    }

    @Test(
        "the keys on the screen of a service's data lead to every goal",
        arguments: [Language.korean, .english]
    )
    func goals(language: Language) async throws {
        try await MovingExchange.run { exchange in
            try await Self.withService(exchange) { _, port, token in
                let transcript = try await InProcessTerminal.watch(
                    "--server http://127.0.0.1:\(port) --lang \(language.rawValue)",
                    environment: ["HOGA_TOKEN": token]
                ) { try await FirstUseTests.reachGoals(in: $0, language) }
                FirstUseTests.expectFew(transcript, "\(language.rawValue), service")
            }
        }
    }

    @Test("while a form is being saved, Esc closes it and Ctrl+C ends hoga")
    func saving() async throws {
        try await MovingExchange.run { exchange in
            try await Self.withService(exchange) { service, port, token in
                try await InProcessTerminal.watch(
                    "--server http://127.0.0.1:\(port)",
                    environment: ["HOGA_TOKEN": token]
                ) { try await Self.saveForms(in: $0, service) }
            }
        }
    }

    private static func saveForms(
        in terminal: InProcessTerminal,
        _ service: RemoteRigService
    ) async throws {
        try await terminal.list()
        terminal.press(.character("3"))
        try await terminal.screen("the holdings") { $0.contains("현금 KRW") }
        for key in [Key.escape, .control("c")] {
            terminal.press(.character("c"))
            try await terminal.screen("a form") { $0.contains("━ 현금 ━") }
            terminal.type("5")
            try await terminal.screen("the amount") { $0.contains("5") }
            service.setHeld(true)
            terminal.press(.enter)
            try await terminal.screen("the form being saved") {
                $0.contains("━ 현금 ━") && $0.bottom.hasPrefix("Esc 닫기")
            }
            terminal.press(key)
            try await terminal.screen("no form, by \(key)") { !$0.contains("━ 현금 ━") }
            service.setHeld(key != .escape)
            if key == .escape {
                try await terminal.screen("the saved amount") { $0.contains("총 5원") }
            } else {
                try await terminal.screen("the shell") { !$0.usesAlternateScreen }
            }
        }
    }

    @Test("a paused exchange shows the same screens with a service as without")
    func sameScreens() async throws {
        let holdings = ["BTC 0.5", "ETH 3", "XRP 100"]
        try await MovingExchange.run { exchange in
            try await Self.withService(exchange, holdings: holdings) { _, port, token in
                try await InProcessTerminal.watch(
                    exchange.arguments,
                    holdings: holdings
                ) { local in
                    try await InProcessTerminal.watch(
                        "--server http://127.0.0.1:\(port)",
                        environment: ["HOGA_TOKEN": token]
                    ) { remote in
                        for terminal in [local, remote] {
                            try await terminal.list()
                            // Trade strength comes with frames of the stream only.
                            terminal.press(.enter)
                            try await terminal.screen("the trade strength") { screen in
                                screen.lines.contains { $0.contains(/^체결강도 +[0-9]/) }
                            }
                            terminal.press(.escape)
                            try await terminal.list()
                        }
                        exchange.simulator.pause()
                        try await Self.compare(local, remote)
                    }
                }
            }
        }
    }

    private static func compare(
        _ local: InProcessTerminal,
        _ remote: InProcessTerminal
    ) async throws {
        try await compare(local, remote, "the list") { $0.mark == 3 }
        for (keys, text) in screens {
            for key in keys {
                local.press(key)
                remote.press(key)
            }
            try await compare(local, remote, text) { $0.contains(text) }
        }
    }

    /// The keys from one screen to the next, and a text that it shows.
    private static let screens: [([Key], String)] = [
        ([.enter], "[호가]"), ([.tab], "[차트]"), ([.tab], "[시세]"),
        ([.character("d")], "[일별]"), ([.escape], "[원화]"), ([.character("2")], "[전체"),
        ([.character("3")], "현금 KRW"), ([.character("4")], "데이터 안내"),
    ]

    /// Waits until both terminals show the same, except in the title and the bottom line.
    private static func compare(
        _ local: InProcessTerminal,
        _ remote: InProcessTerminal,
        _ expected: String,
        _ isMet: (ScreenText) -> Bool
    ) async throws {
        try await local.screen(expected, where: isMet)
        var here = local.screen()
        do {
            try await remote.screen("\(expected), the same without a service") { there in
                here = local.screen()
                return isMet(here) && isMet(there) && body(here) == body(there)
            }
        } catch {
            Issue.record("without a service:\n\(here)")
            throw error
        }
    }

    /// The body without what local and remote may receive differently: the moment at which deposits
    /// were read, the state and age of data, how often the stream of a book was resynchronized, and
    /// the recorded mean of its spread.
    private static func body(_ screen: ScreenText) -> [String] {
        screen.body.map { line in
            let own = line.replacing(/[0-9:]+ 기준.*|보정 [0-9]+|○ (?:끊김|지연).*/, with: "")
            if own.contains("─ 호가차") {
                // Centered between dashes.
                return own.replacing(#/ [<=>·] [0-9]+분 평균 [<0-9.,]+bp/#, with: "")
                    .filter { $0 != "─" }
            }
            // Headings of panes are aligned to their ends.
            let isHeading = own.contains(#/\[(?:호가|차트|시세)\]/#)
            return isHeading ? own.split(separator: " ").joined(separator: " ") : own
        }
    }
}
