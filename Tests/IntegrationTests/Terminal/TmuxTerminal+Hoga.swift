import Foundation
import Testing

/// hoga, started by hand in a window.
extension TmuxTerminal {
    /// What a test watches if it does not care what: the exchange that hoga simulates in itself.
    static let simulated = "--exchange simulated --krw-markets 10 --rate 50"

    /// Starts hoga in the window's shell, answers what a first start asks, and waits for the list.
    ///
    /// - Parameters:
    ///   - arguments: of `hoga watch`.
    ///   - command: what starts it with them.
    ///   - firstLook: whether a picture is the first one to go on from; without it, the list with a
    ///     market in it.
    /// - Returns: that picture.
    /// - Throws: ``Failure`` if it never comes.
    @discardableResult
    func watch(
        _ arguments: String = TmuxTerminal.simulated,
        by command: String = "$HOGA watch",
        firstLook: (Picture) -> Bool = { $0.contains("비트코인") && $0.contains("Enter 열기") }
    ) async throws -> Picture {
        try run("\(command) \(arguments)")
        // What a first start asks is answered with nothing; a second start asks nothing.
        let asked = try await picture("the first questions or the list") {
            $0.contains("처음 시작") || firstLook($0)
        }
        if asked.contains("처음 시작") { try press("Escape") }
        return try await picture("the list alone") { !$0.contains("처음 시작") && firstLook($0) }
    }

    /// Starts hoga as ``watch(_:by:firstLook:)`` does, by a script that notes what nobody sees.
    ///
    /// - Parameters:
    ///   - arguments: of `hoga watch`.
    ///   - first: a line of the script before it.
    /// - Returns: the number of hoga's process.
    /// - Throws: ``Failure`` if the list never comes.
    func watchRecorded(
        _ arguments: String = TmuxTerminal.simulated,
        first: String = ":"
    ) async throws -> Int32 {
        // Nothing but the script's own shell looks after the modes, and it does not.
        let script = """
            ulimit -c 0
            cd \(home)
            \(first)
            stty -g > \(Note.modesBefore.rawValue)
            sh -c 'echo $$ > \(Note.process.rawValue); exec "$HOGA" watch "$@"' hoga "$@"
            status=$?
            stty -g > \(Note.modesAfter.rawValue)
            echo $status > \(Note.status.rawValue)
            """
        try script.write(toFile: home + "/noted.sh", atomically: true, encoding: .utf8)
        try await watch(arguments, by: "sh \(home)/noted.sh")
        return try #require(Int32(try await note(.process)))
    }

    /// What the script of ``watchRecorded(_:first:)`` notes.
    enum Note: String {
        /// The number of hoga's process.
        case process
        /// The modes of the terminal.
        case modesBefore, modesAfter
        /// How hoga ended, as a shell tells it; noted last.
        case status
    }

    /// A note, as soon as it is there.
    func note(_ note: Note) async throws -> String {
        var text = ""
        try await until("there is a note of the \(note.rawValue)") {
            text = (try? String(contentsOfFile: home + "/" + note.rawValue, encoding: .utf8)) ?? ""
            return text.hasSuffix("\n")
        }
        return text.trimmingCharacters(in: .newlines)
    }

    /// Waits for the shell, and expects it to be as if there had been no hoga.
    ///
    /// - Parameter isAlone: whether nothing of hoga's pictures is left; on terminals with one
    ///   screen it is.
    /// - Throws: ``Failure`` if it never is.
    func expectRestoredShell(isAlone: Bool = true) async throws {
        try await picture("the shell with its modes") {
            !$0.usesAlternateScreen && $0.showsCursor && !$0.followsMouse
                && !$0.sendsApplicationKeys
                && $0.lastLine == Self.prompt && !(isAlone && $0.contains("비트코인"))
        }
        // The sum tells what runs from what is echoed.
        let command = "echo u$((40+2))sable"
        try type(command)
        try await picture("what is typed, and nothing else") {
            $0.lastLine == "\(Self.prompt) \(command)"
        }
        try press("Enter")
        try await picture("what was run") {
            $0.lastLine == Self.prompt && $0.lines.contains("u42sable")
        }
        try run("clear")
        try await picture("an empty shell") { $0.lines.first == Self.prompt }
    }

    /// Ends hoga as a person does who does not know what it shows, and expects a usable shell.
    func quit() async throws {
        // Each closes one thing at the most: help, menu, form, search, detail.
        for _ in 0..<5 { try press("Escape") }
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

    /// Waits until a process has ended, whether somebody has asked how or not.
    func ended(_ process: Int32) async throws {
        try await until("process \(process) ends") { hasEnded(process) }
    }

    /// Whether a process has ended.
    func hasEnded(_ process: Int32) -> Bool {
        let path = "/proc/\(process)/stat"
        guard let stat = try? String(contentsOfFile: path, encoding: .utf8) else { return true }
        return stat.contains(") Z ")
    }
}

extension TmuxTerminal.Picture {
    /// The row that is selected.
    var selected: String? { lines.first { $0.hasPrefix("›") } }

    /// The rows between the title, which has the time of day in it, and the lowest one, which
    /// counts the seconds where something is wrong.
    var body: [String] { Array(lines.dropFirst().dropLast()) }
}
