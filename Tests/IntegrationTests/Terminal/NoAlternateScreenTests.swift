import Glibc
import Testing

@Suite("Terminals without an alternate screen", .timeLimit(.minutes(4)))
struct NoAlternateScreenTests {
    /// A terminal that has none, and one that refuses it: its name and its settings.
    private static let terminals = [
        ("vt220", ""), ("tmux-256color", "set -g alternate-screen off\n"),
    ]

    @Test(
        "the prompt gets a line of its own after hoga ends or is suspended",
        arguments: terminals,
        ["q", "C-z", "TERM", "ABRT"]
    )
    func end(_ terminal: (name: String, settings: String), way: String) async throws {
        try await PausedExchange.run { exchange in
            let window = try await TmuxTerminal(
                terminal: terminal.name,
                settings: terminal.settings
            )
            try window.run("ulimit -c 0")
            let list = try await window.watch(exchange.arguments)
            let rows = list.lines.count
            #expect(list.lines[rows - 1].contains("Enter 열기"))
            switch way {
            case "TERM": kill(try window.child(), SIGTERM)
            case "ABRT": kill(try window.child(), SIGABRT)
            default: try window.press(way)
            }
            let shell = try await window.screen("the prompt in a line of its own") {
                $0.showsCursor && $0.lastLine == TmuxTerminal.prompt
            }
            // The last screen stands above, with its whole bottom line.
            #expect(shell.lines.contains(list.lines[rows - 1]), "\(shell)")
            try window.run("clear")
            try await window.expectRestoredShell()
        }
    }
}
