import Foundation
import Testing

/// hoga, started in the shell of the window.
extension TmuxTerminal {
    /// Flags of `hoga watch` for tests that need any list: an exchange simulated by hoga itself.
    static let simulated = "--exchange simulated --krw-markets 10 --rate 50"

    /// Starts hoga in the shell and waits for the list.
    ///
    /// - Parameters:
    ///   - arguments: the flags of `hoga watch`.
    ///   - command: the command that they follow.
    /// - Returns: the first screen with the list.
    /// - Throws: ``TerminalFailure`` if the list never appears.
    @discardableResult
    func watch(
        _ arguments: String = TmuxTerminal.simulated,
        by command: String = "$HOGA watch"
    ) async throws -> ScreenText {
        try run("\(command) \(arguments)")
        return try await screen("the list") {
            $0.contains("비트코인") && $0.contains("Enter 열기")
        }
    }

    /// Starts hoga as ``watch(_:by:)`` does, by a script that records exit status and modes.
    ///
    /// - Parameters:
    ///   - arguments: the flags of `hoga watch`.
    ///   - first: a line of the script before it.
    /// - Returns: the id of hoga's process.
    /// - Throws: ``TerminalFailure`` if the list never appears.
    func watchRecorded(
        _ arguments: String = TmuxTerminal.simulated,
        first: String = ":"
    ) async throws -> Int32 {
        // A non-interactive shell does not restore terminal modes.
        let script = """
            ulimit -c 0
            cd \(home)
            \(first)
            stty -g > \(Record.modesBefore.rawValue)
            sh -c 'echo $$ > \(Record.process.rawValue); exec "$HOGA" watch "$@"' hoga "$@"
            status=$?
            stty -g > \(Record.modesAfter.rawValue)
            echo $status > \(Record.status.rawValue)
            """
        try script.write(toFile: home + "/recorded.sh", atomically: true, encoding: .utf8)
        try await watch(arguments, by: "sh \(home)/recorded.sh")
        return try #require(Int32(try record(.process)))
    }

    /// The files that the script of ``watchRecorded(_:first:)`` writes.
    enum Record: String {
        /// The id of hoga's process.
        case process
        /// The modes of the terminal.
        case modesBefore, modesAfter
        /// The exit status of hoga as a shell reports it.
        case status
    }

    /// The script's output; the prompt after it marks the end.
    func record(_ record: Record) throws -> String {
        try String(contentsOfFile: home + "/" + record.rawValue, encoding: .utf8)
            .trimmingCharacters(in: .newlines)
    }

    /// Waits for the shell, and expects it to be as if hoga had never run.
    ///
    /// - Parameter isAlone: whether no part of hoga's screens is left; on a terminal without an
    ///   alternate screen the last one stays.
    /// - Throws: ``TerminalFailure`` if that never happens.
    func expectRestoredShell(isAlone: Bool = true) async throws {
        try await screen("the shell with its modes") {
            $0.isShell && !(isAlone && $0.contains("비트코인"))
        }
        // The sum distinguishes the output from the echoed command.
        let command = "echo u$((40+2))sable"
        try type(command)
        try await screen("the typed command alone") {
            $0.lastLine == "\(Self.prompt) \(command)"
        }
        try press("Enter")
        try await screen("the output of the command") {
            $0.lastLine == Self.prompt && $0.lines.contains("u42sable")
        }
        try run("clear")
        try await screen("an empty shell") { $0.lines.first == Self.prompt }
    }

    /// Closes whatever is open on a page.
    func closeAll() throws {
        // Each closes at most one thing: help, menu, form, search, detail.
        for _ in 0..<5 { try press("Escape") }
    }

    /// Leaves hoga from any screen, and expects a restored shell.
    func quit() async throws {
        try closeAll()
        try press("q")
        try await expectRestoredShell()
    }

    /// The process that the shell has started.
    func child() throws -> Int32 {
        let shell = try foreground().shell
        let children = try String(
            contentsOfFile: "/proc/\(shell)/task/\(shell)/children",
            encoding: .utf8
        )
        return try #require(Int32(children.split(separator: " ").first ?? ""))
    }

    /// Waits until a process has ended.
    func ended(_ process: Int32) async throws {
        try await until { Self.hasEnded(process) }
    }

    /// Whether a process has ended; a zombie has.
    static func hasEnded(_ process: Int32) -> Bool {
        let path = "/proc/\(process)/stat"
        guard let stat = try? String(contentsOfFile: path, encoding: .utf8) else { return true }
        return stat.contains(") Z ")
    }

    /// Whether every thread of a process waits for an event.
    private static func isAsleep(_ process: Int32) -> Bool {
        let folder = "/proc/\(process)/task/"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.allSatisfy { thread in
            // A thread may have ended.
            let stat = try? String(contentsOfFile: folder + thread + "/stat", encoding: .utf8)
            return stat?.contains(") S ") ?? true
        }
    }

    /// Waits until the lines between title and bottom line are the same for half a second, and hoga
    /// sleeps: a hoga that waits for a processor is not done.
    ///
    /// - Parameter isMet: a condition that the screen meets during this time.
    /// - Returns: that screen.
    /// - Throws: ``TerminalFailure`` if tmux has ended, or `CancellationError`.
    func steadyScreen(
        where isMet: (ScreenText) -> Bool = { _ in true }
    ) async throws -> ScreenText {
        let process = try child()
        var last = try screen()
        var unchanged = 0
        try await until {
            let next = try screen()
            let isSteady = isMet(next) && next.hasBody(of: last)
            unchanged = isSteady ? unchanged + 1 : 0
            last = next
            return unchanged >= 25 && Self.isAsleep(process)
        }
        return last
    }

    /// Waits for a condition that the screen does not show, until the test is cancelled.
    func until(_ isMet: () throws -> Bool) async throws {
        while try !isMet() { try await Task.sleep(for: .milliseconds(20)) }
    }
}

extension ScreenText {
    /// Whether the shell waits for a command, with the terminal's modes restored.
    var isShell: Bool {
        !usesAlternateScreen && showsCursor && !sendsApplicationKeys && !followsMouse
            && lastLine == TmuxTerminal.prompt
    }
}
