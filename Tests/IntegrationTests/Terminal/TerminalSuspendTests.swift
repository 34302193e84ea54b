import Glibc
import Testing

@Suite("Suspending and continuing hoga in a shell", .timeLimit(.minutes(4)))
struct TerminalSuspendTests {
    /// Waits for the shell's prompt with the terminal's modes restored.
    private func shell(of window: TmuxTerminal) async throws {
        try await window.screen("the shell") { $0.isShell }
    }

    /// Asks the shell for its jobs until one has stopped.
    private func stoppedJob(in window: TmuxTerminal) async throws {
        try window.run("jobs")
        try await window.screen("the job stopped for the terminal") { screen in
            // The shell reports it with its next prompt.
            if screen.lastLine == TmuxTerminal.prompt, !screen.contains("Stopped") {
                try window.run("jobs")
            }
            return screen.contains("Stopped")
        }
    }

    /// Continues hoga in the foreground and expects the whole screen and working keys.
    private func goOn(_ window: TmuxTerminal, with before: ScreenText) async throws {
        try window.run("fg")
        try await window.screen("the whole screen and its modes") {
            $0.body == before.body && $0.usesAlternateScreen && $0.sendsApplicationKeys
                && !$0.showsCursor && $0.followsMouse == before.followsMouse
        }
        try window.press("Down")
        try await window.screen("another row selected") {
            $0.selected != nil && $0.selected != before.selected
        }
        try window.press("Up")
        try await window.screen("the row selected") { $0.selected == before.selected }
    }

    private func stopping(
        _ arguments: String = "",
        _ stop: @escaping @Sendable (TmuxTerminal, Int32) async throws -> Void
    ) async throws {
        try await PausedExchange.run { exchange in
            let window = try await TmuxTerminal(terminal: "xterm-256color")
            try await window.watch(exchange.arguments + arguments)
            let before = try await window.steadyScreen()
            let process = try window.child()
            // The second round fails if the first left a mode behind.
            for _ in 0..<2 {
                try await stop(window, process)
                try await goOn(window, with: before)
            }
            try await window.quit()
        }
    }

    @Test("Ctrl+Z suspends it, with the mouse on and off", arguments: ["", " --mouse on"])
    func key(arguments: String) async throws {
        try await stopping(arguments) { window, _ in
            try window.press("C-z")
            try await shell(of: window)
            try await window.expectRestoredShell()
        }
    }

    @Test("SIGTSTP suspends it")
    func signal() async throws {
        try await stopping { window, process in
            kill(process, SIGTSTP)
            try await shell(of: window)
            try await window.expectRestoredShell()
        }
    }

    @Test("after SIGSTOP the shell shares the screen, and continuing redraws it")
    func unheardStop() async throws {
        try await stopping { window, process in
            kill(process, SIGSTOP)
            try await window.screen("the shell on the same screen") {
                $0.contains("Stopped") && $0.contains(TmuxTerminal.prompt)
            }
        }
    }

    @Test(
        "continued in the background it stops for the terminal",
        arguments: [true, false]
    )
    func background(isByShell: Bool) async throws {
        try await stopping(" --mouse on") { window, process in
            try window.press("C-z")
            try await shell(of: window)
            try await window.expectRestoredShell()
            if isByShell { try window.run("bg") } else { kill(process, SIGCONT) }
            try await stoppedJob(in: window)
            try await shell(of: window)
            try window.run("clear")
            try await window.expectRestoredShell()
        }
    }

    @Test("started in the background it stops for the terminal")
    func backgroundStart() async throws {
        let window = try await TmuxTerminal()
        try window.run("$HOGA watch \(TmuxTerminal.simulated) &")
        try await stoppedJob(in: window)
        try window.run("clear")
        try await window.expectRestoredShell()
        try window.run("fg")
        try await window.screen("the list") { $0.contains("Enter 열기") }
        try await window.quit()
    }

    @Test(
        "a signal that ends it while stopped leaves the shell alone",
        arguments: [SIGTERM, SIGABRT, SIGKILL]
    )
    func endWhileStopped(signal: Int32) async throws {
        let window = try await TmuxTerminal()
        try await window.watch(by: "ulimit -c 0; $HOGA watch")
        let process = try window.child()
        try window.press("C-z")
        try await shell(of: window)
        kill(process, signal)
        // Once continued, the job may stop again for the terminal.
        try await window.until {
            kill(process, SIGCONT)
            return TmuxTerminal.hasEnded(process)
        }
        try await window.screen("no part of hoga") { screen in
            !screen.usesAlternateScreen && !screen.contains("비트코인")
        }
        // The shell may report the end before its next prompt. bash 5.2 omits that if the job was
        // continued, stopped and ended at once.
        try window.run("clear")
        try await window.expectRestoredShell()
    }

    @Test(
        "continued in a window of another size it draws for that size",
        arguments: [(60, 12), (132, 40)]
    )
    func resized(columns: Int, rows: Int) async throws {
        try await PausedExchange.run { exchange in
            let window = try await TmuxTerminal()
            try await window.watch(exchange.arguments)
            try window.press("C-z")
            try await shell(of: window)
            try window.resize(columns: columns, rows: rows)
            try window.run("fg")
            let after = try await window.screen("the list in its size") {
                $0.usesAlternateScreen && $0.selected != nil && $0.lastLine.contains("Enter 열기")
                    && $0.lines[rows - 1] == $0.lastLine
            }
            try window.resize(columns: 80, rows: 24)
            try await window.screen("the list as before") { $0.lines[23].contains("Enter 열기") }
            try window.resize(columns: columns, rows: rows)
            // The names tell the layout; figures become unknown when the exchange is silent.
            let names = { (screen: ScreenText) in screen.body.map { $0.prefix(24) } }
            try await window.screen("the same as after the stop") { names($0) == names(after) }
            try await window.quit()
        }
    }
}
