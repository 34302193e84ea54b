import ExchangeSimulator
import Glibc
import TestSupport
import Testing

@Suite("Random input in a terminal", .timeLimit(.minutes(4)))
struct TerminalRandomInputTests {
    /// Expects the screen to be the one that is drawn on an empty screen, once nothing is loading.
    ///
    /// To be called while the exchange is paused. A connection without data is lost after a while,
    /// which headings and bottom line tell, so these are not compared. hoga reads the exchange
    /// again then, and changes have another base in the next minute: two screens are compared if
    /// the exchange answered nothing between them and they are of one minute.
    private func expectWhole(
        _ window: TmuxTerminal,
        _ exchange: PausedExchange,
        _ title: String
    ) async throws {
        while true {
            let answers = exchange.simulator.report().answers
            let minute = time(nil) / 60
            let last = try await window.steadyScreen { !$0.isLoading }
            // tmux clears the screen without hoga's knowledge.
            try window.tell("send-keys", "-R")
            try window.press("C-l")
            let anew = try await window.steadyScreen { $0.sendsApplicationKeys && !$0.isLoading }
            let isSame = exchange.simulator.report().answers == answers && time(nil) / 60 == minute
            guard isSame else { continue }
            #expect(anew.hasBody(of: last), "\(title): \(last)\ndrawn anew:\n\(anew)")
            return
        }
    }

    /// Pauses the exchange and waits until the list shows the age of its data.
    ///
    /// Data in flight are drawn before that.
    private func pause(_ exchange: PausedExchange, _ window: TmuxTerminal) async throws {
        exchange.simulator.pause()
        try await window.screen("the age of the data") {
            $0.lines[0].contains(/○ (?:끊김|지연|cut off|[0-9])/)
        }
    }

    @Test("random sizes while data arrive leave the right screen", arguments: [1, 2] as [UInt64])
    func sizes(seed: UInt64) async throws {
        try await PausedExchange.run(markets: 60, isStill: false) { exchange in
            var random = SeededGenerator(seed: seed)
            let window = try await TmuxTerminal()
            try await window.watch(exchange.arguments)
            // Even seeds show a detail, beside the list where the screen is wide.
            if seed.isMultiple(of: 2) {
                try window.press("Enter")
                try await window.screen("a market") { $0.contains("호가") }
            }
            for _ in 0..<200 {
                try window.resize(
                    columns: .random(in: 1...250, using: &random),
                    rows: .random(in: 1...80, using: &random)
                )
            }
            try window.resize(columns: 200, rows: 60)
            try await pause(exchange, window)
            for (columns, rows) in [(200, 60), (80, 24), (40, 12), (33, 9)] {
                try window.resize(columns: columns, rows: rows)
                try await expectWhole(window, exchange, "seed \(seed), \(columns)×\(rows)")
            }
            try window.resize(columns: 80, rows: 24)
            try await window.quit()
        }
    }

    @Test("random keys leave the right screen", arguments: [11, 12, 13] as [UInt64])
    func keys(seed: UInt64) async throws {
        // Without keys that end or suspend hoga, and without Ctrl+L, which redraws.
        let keys =
            "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ0123456789/?+-=[]<>.,;: "
            .map(String.init) + [
                "Up", "Down", "Left", "Right", "PPage", "NPage", "Home", "End", "Enter", "Escape",
                "Tab", "BTab", "BSpace", "DC", "IC", "F1", "F2", "F5", "C-Up", "C-Down", "C-d",
                "C-u",
            ]
        try await PausedExchange.run(markets: 60, isStill: false) { exchange in
            var random = SeededGenerator(seed: seed)
            let window = try await TmuxTerminal(columns: 120, rows: 40)
            try await window.watch(exchange.arguments)
            func pressKeys() throws {
                for _ in 0..<40 {
                    let some = (0..<10).map { _ in keys.randomElement(using: &random) ?? "Up" }
                    try window.tell(["send-keys"] + some)
                }
            }
            try pressKeys()
            try window.closeAll()
            try window.press("1")
            try await pause(exchange, window)
            try pressKeys()
            try await expectWhole(window, exchange, "seed \(seed)")
            try await window.quit()
        }
    }
}
