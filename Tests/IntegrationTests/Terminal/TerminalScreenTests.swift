import Foundation
import Testing

@Suite(
    "What a person sees is what is written down, to the last character",
    .timeLimit(.minutes(15))
)
struct TerminalScreenTests {
    /// The rows that are written down for a size, in `Fixtures/pictures`; the clock is masked.
    private func expected(_ columns: Int, _ rows: Int) throws -> [String] {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/pictures/\(columns)x\(rows).txt")
        return try String(contentsOf: path, encoding: .utf8).dropLast()
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Expects the same from a start in that size as after a change to it.
    private func expectAfterStart(
        _ expected: [String],
        _ window: TmuxTerminal,
        _ exchange: PausedExchange
    ) async throws {
        try window.press("q")
        try await window.expectRestoredShell()
        try window.run("$HOGA watch \(exchange.arguments)")
        try await window.until("the same after another start") {
            let lines = try window.picture().timeless
            if lines.contains(where: { $0.contains("처음 시작") }) { try window.press("Escape") }
            return lines == expected
        }
    }

    @Test(
        "The list of an exchange that stands still",
        arguments: [(40, 12), (80, 24), (200, 60), (39, 11)]
    )
    func list(columns: Int, rows: Int) async throws {
        let expected = try expected(columns, rows)
        try #require(expected.count == rows)
        try await PausedExchange.run { exchange in
            let window = try await TmuxTerminal()
            try await window.watch(exchange.arguments)
            try window.resize(columns: columns, rows: rows)
            try await window.picture("what is written down") { $0.timeless == expected }
            // A small screen hides what a first start asks, and says how to leave that.
            if rows >= 12 { try await expectAfterStart(expected, window, exchange) }
            try window.resize(columns: 80, rows: 24)
            try await window.picture("the list in another size") { $0.lines.count == 24 }
            try await window.quit()
        }
    }
}

extension TmuxTerminal.Picture {
    /// The rows without the time of day.
    fileprivate var timeless: [String] {
        lines.map { $0.replacing(/[0-9]{2}:[0-9]{2}:[0-9]{2}/, with: "##:##:##") }
    }
}
