import ExchangeSimulator
import TestSupport
import Testing

@Suite("Random input in a terminal", .timeLimit(.minutes(4)))
struct TerminalRandomInputTests {
    /// Expects the screen after some input to be the one that is drawn on an empty screen.
    ///
    /// Data may still arrive between the two, so this fails only if all of five tries differ: a
    /// fault that does not appear at each try is missed.
    private func expectWhole(
        _ window: TmuxTerminal,
        _ title: String,
        after input: () throws -> Void
    ) async throws {
        var differences: [String] = []
        for _ in 0..<5 {
            try input()
            let last = try await window.steadyScreen()
            // tmux clears the screen without hoga's knowledge.
            try window.tell("send-keys", "-R")
            try window.press("C-l")
            let anew = try await window.steadyScreen { $0.sendsApplicationKeys }
            if anew.bodyWithoutAges == last.bodyWithoutAges { return }
            differences.append("\(last)\ndrawn anew:\n\(anew)")
        }
        Issue.record("\(title): \(differences.joined(separator: "\n"))")
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
            exchange.simulator.pause()
            // Data in flight when the exchange paused are drawn before the title shows their age.
            try window.resize(columns: 200, rows: 60)
            try await window.screen("the age of the data") { $0.lines[0].contains("○") }
            for (columns, rows) in [(200, 60), (80, 24), (40, 12), (33, 9)] {
                try await expectWhole(window, "seed \(seed), \(columns)×\(rows)") {
                    try window.resize(columns: 50, rows: 15)
                    try window.resize(columns: columns, rows: rows)
                }
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
            try await expectWhole(window, "seed \(seed)") {
                exchange.simulator.resume()
                for _ in 0..<40 {
                    let some = (0..<10).map { _ in keys.randomElement(using: &random) ?? "Up" }
                    try window.tell(["send-keys"] + some)
                }
                exchange.simulator.pause()
            }
            try await window.quit()
        }
    }
}
