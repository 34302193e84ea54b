import Domain
import ExchangeSimulator
import Foundation
import PresentationTerminal
import TestSupport
import Testing

@testable import App

@Suite("hoga watch --server in a real terminal", .timeLimit(.minutes(15)))
struct TerminalRemoteTests {
    /// A service of an exchange, with a folder that it keeps things in and a token for them.
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

    @Test("Find, open, favourite, sort, search and quit", arguments: [Language.korean, .english])
    func goals(language: Language) async throws {
        try await MovingExchange.run { watched in
            try await Self.withService(watched) { _, port, token in
                let window = try await TmuxTerminal(environment: ["HOGA_TOKEN": token])
                let flags = "--server http://127.0.0.1:\(port) --lang \(language.rawValue)"
                try window.run("$HOGA watch \(flags)")
                let transcript = try await FirstUseTests.reachGoals(in: window, language)
                FirstUseTests.tell(transcript, "\(language.rawValue), at a service")
            }
        }
    }

    @Test("While a form is being kept, Esc closes it and Ctrl+C ends hoga")
    func saving() async throws {
        try await MovingExchange.run { watched in
            try await Self.withService(watched) { service, port, token in
                let window = try await TmuxTerminal(environment: ["HOGA_TOKEN": token])
                try await window.watch("--server http://127.0.0.1:\(port)")
                try window.press("3")
                try await window.picture("what is held") { $0.contains("현금 KRW") }
                for key in [Key.escape, .control("c")] {
                    try window.press("c")
                    try await window.picture("a form") { $0.contains("━ 현금 ━") }
                    try window.type("5")
                    try await window.picture("the amount") { $0.contains("5") }
                    service.setHeld(true)
                    try window.press("Enter")
                    try await window.picture("the form being kept") {
                        $0.contains("━ 현금 ━") && $0.bottom.hasPrefix("Esc 닫기")
                    }
                    try window.press(key)
                    try await window.picture("no form, by \(key)") { !$0.contains("━ 현금 ━") }
                    if key == .escape {
                        service.setHeld(false)
                        try await window.picture("the amount is kept") { $0.contains("총 5원") }
                    } else {
                        try await window.picture("the shell") { !$0.usesAlternateScreen }
                    }
                }
            }
        }
    }

    @Test("On an exchange that stands still every screen is that of a hoga without a service")
    func sameScreens() async throws {
        let holdings = ["BTC 0.5", "ETH 3", "XRP 100"]
        try await MovingExchange.run { watched in
            try await Self.withService(watched, holdings: holdings) { _, port, token in
                let local = try await TmuxTerminal()
                try await local.hold(holdings)
                let remote = try await TmuxTerminal(environment: ["HOGA_TOKEN": token])
                try await local.watch(watched.arguments)
                try await remote.watch("--server http://127.0.0.1:\(port)")
                watched.simulator.pause()
                try await Self.compare(local, remote, "the list") { $0.mark == 3 }
                for (keys, what) in Self.screens {
                    for key in keys {
                        try local.press(key)
                        try remote.press(key)
                    }
                    try await Self.compare(local, remote, what) { $0.contains(what) }
                }
            }
        }
    }

    /// The keys from one screen to the next, and what is seen there.
    private static let screens: [([Key], String)] = [
        ([.enter], "[1 호가]"), ([.character("2")], "[2 차트]"), ([.character("3")], "[3 시세]"),
        ([.character("d")], "[일별]"), ([.escape], "[원화]"), ([.character("2")], "[전체"),
        ([.character("3")], "현금 KRW"), ([.character("4")], "데이터 안내"),
    ]

    /// Waits until two windows show the same but for clocks, ages and what both lines tell of them.
    private static func compare(
        _ local: TmuxTerminal,
        _ remote: TmuxTerminal,
        _ what: String,
        _ isAvailable: (TmuxTerminal.Picture) -> Bool
    ) async throws {
        try await local.picture(what, where: isAvailable)
        try await remote.picture("\(what), the same as\n\(local.picture())\n") { there in
            let here = try local.picture()
            return isAvailable(here) && isAvailable(there) && body(here) == body(there)
        }
    }

    /// The lines between title and bottom, without the moment at which deposits were read.
    private static func body(_ picture: TmuxTerminal.Picture) -> [String] {
        picture.lines.dropFirst().dropLast().map { line in
            line.range(of: "확인 ").map { String(line[..<$0.lowerBound]) } ?? line
        }
    }
}
