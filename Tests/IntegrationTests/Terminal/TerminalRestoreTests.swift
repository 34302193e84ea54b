import Glibc
import Testing

@Suite("Restoring the terminal at the end of hoga", .timeLimit(.minutes(4)))
struct TerminalRestoreTests {
    /// Signals by their names in `kill -l`.
    private static let signals: [String: Int32] = [
        "HUP": SIGHUP, "INT": SIGINT, "QUIT": SIGQUIT, "ILL": SIGILL, "TRAP": SIGTRAP,
        "ABRT": SIGABRT, "BUS": SIGBUS, "FPE": SIGFPE, "SEGV": SIGSEGV, "SYS": SIGSYS,
        "TERM": SIGTERM,
    ]

    /// Ends hoga by a signal or a key.
    private func end(_ process: Int32, in window: TmuxTerminal, by way: String) throws {
        if let signal = Self.signals[way] {
            try #require(kill(process, signal) == 0)
        } else {
            try window.press(way)
        }
    }

    /// Expects an exit status and the terminal as it was before hoga.
    private func expectEnd(
        of process: Int32,
        in window: TmuxTerminal,
        status: String
    ) async throws {
        try await window.screen("the prompt") {
            !$0.usesAlternateScreen && $0.lastLine == TmuxTerminal.prompt
        }
        #expect(try window.record(.status) == status)
        #expect(try window.record(.modesAfter) == window.record(.modesBefore))
        try await window.ended(process)
        try await window.expectRestoredShell()
    }

    @Test(
        "keys and signals that end hoga in the list restore the modes and give the exit status",
        arguments: [
            ("q", "0"), ("C-c", "0"), ("TERM", "0"), ("INT", "0"), ("HUP", "0"), ("QUIT", "131"),
            ("ILL", "132"), ("TRAP", "133"), ("ABRT", "134"), ("BUS", "135"), ("FPE", "136"),
            ("SEGV", "139"), ("SYS", "159"),
        ]
    )
    func list(way: String, status: String) async throws {
        let window = try await TmuxTerminal()
        let process = try await window.watchRecorded()
        let list = try window.screen()
        try #require(list.usesAlternateScreen && list.sendsApplicationKeys && !list.showsCursor)
        try end(process, in: window, by: way)
        try await expectEnd(of: process, in: window, status: status)
    }

    @Test(
        "keys and signals restore the modes while text is typed with the mouse on",
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
        try await window.screen("the typed text with the cursor") {
            $0.contains("/비트") && $0.showsCursor && $0.followsMouse
        }
        try self.end(process, in: window, by: end.way)
        try await expectEnd(of: process, in: window, status: end.status)
    }

    @Test("closing the window ends hoga", arguments: [":", "trap '' HUP"])
    func closedWindow(first: String) async throws {
        let window = try await TmuxTerminal()
        let process = try await window.watchRecorded(first: first)
        try window.tell("kill-window")
        try await window.ended(process)
    }

    @Test("a second start in the same window works")
    func secondStart() async throws {
        let window = try await TmuxTerminal()
        for _ in 0..<2 {
            try await window.watch()
            try await window.quit()
        }
    }

    @Test("late answers of the terminal are not typed into the shell")
    func earlyEnd() async throws {
        // tmux with a known background answers two questions instead of one.
        let window = try await TmuxTerminal(settings: "set -g window-style bg=#ffffff")
        try await window.watch()
        try await window.quit()
        for _ in 0..<5 {
            try window.run("$HOGA watch \(TmuxTerminal.simulated) --theme auto")
            // hoga reads the keyboard from now on.
            try await window.screen("hoga") { $0.usesAlternateScreen }
            try window.press("C-c")
            try await window.expectRestoredShell()
        }
    }
}
