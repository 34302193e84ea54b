import Foundation
import Testing

@Suite("Literal screens in tmux", .timeLimit(.minutes(4)))
struct TerminalScreenTests {
    /// The lines of `Fixtures/Screens` for a size; times of day are masked.
    private func expected(_ columns: Int, _ rows: Int) throws -> [String] {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/Screens/\(columns)x\(rows).txt")
        return try String(contentsOf: path, encoding: .utf8).dropLast()
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Expects a start in a size to show the same as a change to that size.
    private func expectAfterStart(
        _ expected: [String],
        _ window: TmuxTerminal,
        _ exchange: PausedExchange
    ) async throws {
        try window.press("q")
        try await window.expectRestoredShell()
        try window.run("$HOGA watch \(exchange.arguments)")
        try await window.screen("the same after another start") { $0.withoutTimes == expected }
    }

    @Test(
        "the list of a paused exchange is the literal one, after a start and after a resize",
        arguments: [(40, 12), (80, 24), (200, 60), (19, 11)]
    )
    func list(columns: Int, rows: Int) async throws {
        let expected = try expected(columns, rows)
        try #require(expected.count == rows)
        try await PausedExchange.run { exchange in
            let window = try await TmuxTerminal()
            try await window.watch(exchange.arguments)
            try window.resize(columns: columns, rows: rows)
            try await window.screen("the literal screen") { $0.withoutTimes == expected }
            if rows >= 12 { try await expectAfterStart(expected, window, exchange) }
            try window.resize(columns: 80, rows: 24)
            try await window.screen("the list in another size") { $0.lines.count == 24 }
            try await window.quit()
        }
    }
}
