import Glibc
import Testing

@Suite("hoga stops and goes on as jobs of a shell do", .timeLimit(.minutes(15)))
struct TerminalSuspendTests {
    /// Waits for the shell's prompt with the terminal given back.
    private func shell(of window: TmuxTerminal) async throws {
        try await window.picture("the shell") {
            !$0.usesAlternateScreen && $0.showsCursor && !$0.sendsApplicationKeys
                && !$0.followsMouse
                && $0.lastLine == TmuxTerminal.prompt
        }
    }

    /// Takes hoga to the foreground, and expects the first key to do what it says.
    private func goOn(_ window: TmuxTerminal, with picture: TmuxTerminal.Picture) async throws {
        try window.run("fg")
        try await window.picture("the whole picture, and its modes") {
            $0.body == picture.body && $0.usesAlternateScreen && $0.sendsApplicationKeys
                && !$0.showsCursor && $0.followsMouse == picture.followsMouse
        }
        try window.press("Down")
        try await window.picture("another row selected") {
            $0.selected != nil && $0.selected != picture.selected
        }
        try window.press("Up")
        try await window.picture("the row selected") { $0.selected == picture.selected }
    }

    private func stopping(
        _ arguments: String = "",
        _ stop: @escaping @Sendable (TmuxTerminal, Int32) async throws -> Void
    ) async throws {
        try await PausedExchange.run { exchange in
            let window = try await TmuxTerminal(terminal: "xterm-256color")
            let picture = try await window.watch(exchange.arguments + arguments)
            let process = try window.child()
            // More than once: what is taken must have been given back whole.
            for _ in 0..<2 {
                try await stop(window, process)
                try await goOn(window, with: picture)
            }
            try await window.quit()
        }
    }

    @Test("By its key, with the mouse and without", arguments: ["", " --mouse on"])
    func key(arguments: String) async throws {
        try await stopping(arguments) { window, _ in
            try window.press("C-z")
            try await shell(of: window)
            try await window.expectRestoredShell()
        }
    }

    @Test("By a signal from outside")
    func signal() async throws {
        try await stopping { window, process in
            kill(process, SIGTSTP)
            try await shell(of: window)
            try await window.expectRestoredShell()
        }
    }

    @Test("By a signal that nobody hears, which leaves the picture to the shell")
    func unheardStop() async throws {
        try await stopping { window, process in
            kill(process, SIGSTOP)
            try await window.picture("the shell in the picture") {
                $0.contains("Stopped") && $0.contains(TmuxTerminal.prompt)
            }
        }
    }

    @Test(
        "Continued in the background it leaves the terminal to the shell",
        arguments: [true, false]
    )
    func background(isByShell: Bool) async throws {
        try await stopping(" --mouse on") { window, process in
            try window.press("C-z")
            try await shell(of: window)
            try await window.expectRestoredShell()
            if isByShell { try window.run("bg") } else { kill(process, SIGCONT) }
            // The shell tells of it with its next prompt.
            try await window.until("the job stops for the terminal") {
                try window.run("jobs")
                return try window.picture().contains("Stopped")
            }
            try await shell(of: window)
            try window.run("clear")
            try await window.expectRestoredShell()
        }
    }

    @Test("Started in the background it waits for the terminal")
    func backgroundStart() async throws {
        let window = try await TmuxTerminal()
        try window.run("$HOGA watch \(TmuxTerminal.simulated) &")
        try await window.until("the job stops for the terminal") {
            try window.run("jobs")
            return try window.picture().contains("Stopped")
        }
        try window.run("clear")
        try await window.expectRestoredShell()
        try window.run("fg")
        try await window.picture("the first questions") { $0.contains("처음 시작") }
        try await window.quit()
    }

    @Test(
        "Ended while it is stopped it leaves the shell alone",
        arguments: ["TERM", "ABRT", "KILL"]
    )
    func endWhileStopped(signal: String) async throws {
        let window = try await TmuxTerminal()
        try await window.watch(by: "ulimit -c 0; $HOGA watch")
        let process = try window.child()
        try window.press("C-z")
        try await shell(of: window)
        try window.run("kill -\(signal) %1; clear")
        // A job in the background that is told to go on may stop for the terminal before it is
        // told of its end.
        try await window.until("the job has ended") {
            kill(process, SIGCONT)
            return window.hasEnded(process)
        }
        // The shell tells of it with its next prompt.
        try window.press("Enter")
        try await window.picture("its end") { $0.contains("[1]+") }
        try window.run("clear")
        try await window.expectRestoredShell()
    }

    @Test("In a window of another size it is drawn for that", arguments: [(60, 12), (132, 40)])
    func resized(columns: Int, rows: Int) async throws {
        try await PausedExchange.run { exchange in
            let window = try await TmuxTerminal()
            try await window.watch(exchange.arguments)
            try window.press("C-z")
            try await shell(of: window)
            try window.resize(columns: columns, rows: rows)
            try window.run("fg")
            let after = try await window.picture("the list in its size") {
                $0.usesAlternateScreen && $0.selected != nil && $0.lastLine.contains("Enter 열기")
                    && $0.lines[rows - 1] == $0.lastLine
            }
            try window.resize(columns: 80, rows: 24)
            try await window.picture("the list as before") { $0.lines[23].contains("Enter 열기") }
            try window.resize(columns: columns, rows: rows)
            try await window.picture("the same as after the stop") { $0.body == after.body }
            try await window.quit()
        }
    }
}
