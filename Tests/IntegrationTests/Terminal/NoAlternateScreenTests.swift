import Glibc
import Testing

@Suite("A terminal with one screen gets a line of its own for the prompt", .timeLimit(.minutes(15)))
struct NoAlternateScreenTests {
    /// A terminal with one screen, or one that takes no other: its name and its settings.
    private static let terminals = [
        ("vt220", ""), ("tmux-256color", "set -g alternate-screen off\n"),
    ]

    @Test(
        "After the end, whatever it is",
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
            let shell = try await window.picture("the prompt in a line of its own") {
                $0.showsCursor && $0.lastLine == TmuxTerminal.prompt
            }
            // The picture stands above, down to its whole lowest row.
            #expect(shell.lines.contains(list.lines[rows - 1]), "\(shell)")
            try window.run("clear")
            try await window.expectRestoredShell()
        }
    }
}
