import Glibc
import Testing

@Suite("Whatever ends hoga, the terminal is a shell's again", .timeLimit(.minutes(15)))
struct TerminalRestoreTests {
    /// Signals by their names in `kill -l`.
    private static let signals: [String: Int32] = [
        "HUP": SIGHUP, "INT": SIGINT, "QUIT": SIGQUIT, "ILL": SIGILL, "TRAP": SIGTRAP,
        "ABRT": SIGABRT, "BUS": SIGBUS, "FPE": SIGFPE, "SEGV": SIGSEGV, "SYS": SIGSYS,
        "TERM": SIGTERM,
    ]

    /// Does what ends hoga: sends a signal, or presses a key.
    private func end(_ process: Int32, in window: TmuxTerminal, by way: String) throws {
        if let signal = Self.signals[way] {
            try #require(kill(process, signal) == 0)
        } else {
            try window.press(way)
        }
    }

    /// Expects hoga to have ended as a shell tells it, and everything to be as before.
    private func expectEnd(
        of process: Int32,
        in window: TmuxTerminal,
        status: String
    ) async throws {
        #expect(try await window.note(.status) == status)
        #expect(try await window.note(.modesAfter) == window.note(.modesBefore))
        try await window.ended(process)
        try await window.expectRestoredShell()
    }

    @Test(
        "From the list",
        arguments: [
            ("q", "0"), ("C-c", "0"), ("TERM", "0"), ("INT", "0"), ("HUP", "0"), ("QUIT", "131"),
            ("ILL", "132"), ("TRAP", "133"), ("ABRT", "134"), ("BUS", "135"), ("FPE", "136"),
            ("SEGV", "139"), ("SYS", "159"),
        ]
    )
    func list(way: String, status: String) async throws {
        let window = try await TmuxTerminal()
        let process = try await window.watchRecorded()
        let list = try window.picture()
        try #require(list.usesAlternateScreen && list.sendsApplicationKeys && !list.showsCursor)
        try end(process, in: window, by: way)
        try await expectEnd(of: process, in: window, status: status)
    }

    @Test(
        "While something is typed and the mouse is followed, in a terminal of either kind",
        arguments: [
            ("C-c", "0"), ("TERM", "0"), ("ABRT", "134"), ("SEGV", "139"), ("BUS", "135"),
            ("TRAP", "133"),
        ],
        ["tmux-256color", "xterm-256color"]
    )
    func search(_ end: (way: String, status: String), terminal: String) async throws {
        let window = try await TmuxTerminal(terminal: terminal)
        let process = try await window.watchRecorded(TmuxTerminal.simulated + " --mouse on")
        try window.type("/비트")
        try await window.picture("what is typed, with the cursor there") {
            $0.contains("/비트") && $0.showsCursor && $0.followsMouse
        }
        try self.end(process, in: window, by: end.way)
        try await expectEnd(of: process, in: window, status: end.status)
    }

    @Test("Nothing is left of a window that is closed", arguments: [":", "trap '' HUP"])
    func closedWindow(first: String) async throws {
        let window = try await TmuxTerminal()
        let process = try await window.watchRecorded(first: first)
        try window.tell("kill-window")
        try await window.ended(process)
    }

    @Test("A second start in the same window is like the first")
    func secondStart() async throws {
        let window = try await TmuxTerminal()
        for _ in 0..<2 {
            try await window.watch()
            try await window.quit()
        }
    }

    @Test("What the terminal answers is never typed into the shell")
    func earlyEnd() async throws {
        // A terminal that knows its background answers with that too.
        let window = try await TmuxTerminal(settings: "set -g window-style bg=#ffffff")
        try await window.watch()
        try await window.quit()
        for _ in 0..<5 {
            try window.run("$HOGA watch \(TmuxTerminal.simulated) --theme auto")
            // As soon as the keyboard is its own.
            try await window.picture("hoga") { $0.usesAlternateScreen }
            try window.press("C-c")
            try await window.expectRestoredShell()
        }
    }
}
