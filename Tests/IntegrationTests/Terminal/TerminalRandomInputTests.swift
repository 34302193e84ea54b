import ExchangeSimulator
import TestSupport
import Testing

@Suite("No storm leaves anything wrong on the screen", .timeLimit(.minutes(15)))
struct TerminalRandomInputTests {
    /// Expects the picture to be what is drawn on an empty screen.
    private func expectWhole(_ window: TmuxTerminal, _ storm: String) async throws {
        // Data that were on their way when the exchange stopped, and what is drawn of them.
        var last = try window.picture().body
        var same = 0
        try await window.until("the picture is at rest") {
            let next = try window.picture().body
            same = next == last ? same + 1 : 0
            last = next
            return same == 10
        }
        // Wiped by the terminal itself, of which hoga knows nothing.
        try window.tell("send-keys", "-R")
        try window.press("C-l")
        try await window.picture(
            "\(storm): the same, drawn from nothing:\n\(last.joined(separator: "\n"))"
        ) {
            $0.body == last && $0.sendsApplicationKeys
        }
    }

    @Test("Sizes while data come", arguments: [1, 2] as [UInt64])
    func sizes(seed: UInt64) async throws {
        try await PausedExchange.run(markets: 60, isStill: false) { exchange in
            var random = SeededGenerator(seed: seed)
            let window = try await TmuxTerminal()
            try await window.watch(exchange.arguments)
            // Every other time beside a market's detail, where there is room for that.
            if seed.isMultiple(of: 2) {
                try window.press("Enter")
                try await window.picture("a market") { $0.contains("호가") }
            }
            for _ in 0..<200 {
                try window.resize(
                    columns: .random(in: 1...250, using: &random),
                    rows: .random(in: 1...80, using: &random)
                )
            }
            exchange.simulator.pause()
            for (columns, rows) in [(200, 60), (80, 24), (40, 12), (33, 9)] {
                try window.resize(columns: columns, rows: rows)
                try await expectWhole(window, "seed \(seed), \(columns)×\(rows)")
            }
            try window.resize(columns: 80, rows: 24)
            try await window.quit()
        }
    }

    @Test("Keys in any order", arguments: [11, 12, 13] as [UInt64])
    func keys(seed: UInt64) async throws {
        // Without those that end or stop it; Ctrl+L would hide what is looked for.
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
            for _ in 0..<40 {
                let some = (0..<10).map { _ in keys.randomElement(using: &random) ?? "Up" }
                // A lone semicolon would be tmux's own.
                try window.tell(["send-keys"] + some.map { $0 == ";" ? "\\\\;" : $0 })
            }
            exchange.simulator.pause()
            try await expectWhole(window, "seed \(seed)")
            try await window.quit()
        }
    }
}
