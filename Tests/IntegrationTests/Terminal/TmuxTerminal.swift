import Foundation
import Testing

/// A window of a real terminal, tmux, with a shell in it that a person could type into.
///
/// What is typed goes where a keyboard's bytes go, and what is read is what a person would see. The
/// window is gone with its last reference, and whatever runs in it loses its terminal.
final class TmuxTerminal: Sendable {
    /// What a window shows, and what of its modes a person notices.
    struct Picture: Equatable, Sendable, CustomStringConvertible {
        /// The rows from the top, without blanks at their ends.
        var lines: [String]
        /// Whether the cursor can be seen.
        var showsCursor: Bool
        /// Whether the screen is one beside the shell's, as full-screen programs use.
        var usesAlternateScreen: Bool
        /// Whether a program has asked for the mouse.
        var followsMouse: Bool
        /// Whether the keys of arrows and of the number pad send what full-screen programs ask for.
        var sendsApplicationKeys: Bool

        var description: String { lines.joined(separator: "\n") }

        /// Whether a text stands in one of the lines.
        func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

        /// The lowest row in which anything stands.
        var lastLine: String { lines.last { !$0.isEmpty } ?? "" }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What the shell says when it waits for a command.
    static let prompt = "sh$"
    /// How long something may take that should take milliseconds.
    static let patience: Duration = .seconds(240)

    private let folder: String
    private let server: Process

    /// Opens a window with a shell.
    ///
    /// - Parameters:
    ///   - columns: its width.
    ///   - rows: its height.
    ///   - terminal: what programs in it are told that it is.
    ///   - extra: variables besides those of ``HogaProcess/environment(_:)``; what hoga keeps is in
    ///     the window's folder, which is gone with it.
    ///   - settings: of tmux, in its words, one a line.
    /// - Throws: ``Failure`` if no shell came, or what Foundation says if tmux cannot be started.
    init(
        columns: Int = 80,
        rows: Int = 24,
        terminal: String = "tmux-256color",
        environment extra: [String: String] = [:],
        settings: String = ""
    ) async throws {
        folder = NSTemporaryDirectory() + "hoga-window-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        let settingsPath = folder + "/settings"
        let settings = "set -g default-terminal \(terminal)\n" + settings
        try settings.write(toFile: settingsPath, atomically: true, encoding: .utf8)
        var environment = HogaProcess.environment()
        for home in ["DATA", "CONFIG", "STATE", "CACHE"] {
            environment["XDG_\(home)_HOME"] = folder
        }
        environment["HISTFILE"] = ""
        environment["HOGA"] = HogaProcess.path
        environment["TMUX"] = nil
        // A user's hoga has nobody between it and its signals; that of a test run has.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["LANG"] = nil
        // In the foreground, since a server that leaves this process would hold on to its pipes.
        server = Process()
        server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        server.arguments = ["tmux", "-S", folder + "/socket", "-f", settingsPath, "-D"]
        server.environment = environment.merging(extra) { $1 }
        server.standardInput = FileHandle.nullDevice
        server.standardOutput = FileHandle.nullDevice
        server.standardError = FileHandle.nullDevice
        try server.run()
        try await until("the server of the window listens") {
            try answers("show-options", "-s") != nil
        }
        try tell(
            "new-session",
            "-d",
            "-x",
            "\(columns)",
            "-y",
            "\(rows)",
            // The shell that tmux starts commands with keeps prompts to itself.
            "exec env PS1='\(Self.prompt) ' bash --norc --noprofile -i"
        )
        _ = try await picture("a shell") { $0.contains(Self.prompt) }
    }

    deinit {
        // The shell and what runs in it are told by their terminal's end.
        _ = try? answers("kill-server")
        if server.isRunning { kill(server.processIdentifier, SIGKILL) }
        server.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The folder in which hoga keeps what it keeps.
    var home: String { folder }

    /// Types a text, letter by letter, as a keyboard would send it.
    func type(_ text: String) throws {
        try tell("send-keys", "-l", "--", text)
    }

    /// Presses keys by tmux's names for them, such as `Enter`, `Escape`, `Up`, `C-c`.
    func press(_ keys: String...) throws {
        try tell(["send-keys"] + keys)
    }

    /// Types a command line for the shell.
    func run(_ command: String) throws {
        try type(command)
        try press("Enter")
    }

    /// Sends bytes as they are, whatever they are.
    func send(bytes: [UInt8]) throws {
        // In pieces, since a command line has its limit.
        for start in stride(from: 0, to: bytes.count, by: 512) {
            let piece = bytes[start..<min(start + 512, bytes.count)]
            try tell(["send-keys", "-H"] + piece.map { String($0, radix: 16) })
        }
    }

    /// Pastes a text as a person does, between the marks of a paste if the program asked for them.
    func paste(_ text: String) throws {
        try paste(bytes: Array(text.utf8))
    }

    /// Pastes whatever bytes.
    ///
    /// - Parameters:
    ///   - bytes: what is pasted.
    ///   - isMarked: whether the marks of a paste are put around it if the program asked for them.
    /// - Throws: ``Failure`` if tmux refuses.
    func paste(bytes: [UInt8], isMarked: Bool = true) throws {
        let path = folder + "/paste"
        try Data(bytes).write(to: URL(filePath: path))
        try tell("load-buffer", path)
        try tell(["paste-buffer", "-r"] + (isMarked ? ["-p"] : []))
    }

    /// Gives the window another size.
    func resize(columns: Int, rows: Int) throws {
        try tell("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// What the window shows now.
    func picture() throws -> Picture {
        let modes = [
            "cursor_flag", "alternate_on", "mouse_any_flag", "keypad_cursor_flag",
        ]
        // One call for both, so that they are of one moment.
        let answer = try tell(
            "capture-pane",
            "-p",
            ";",
            "display-message",
            "-p",
            modes.map { "#{\($0)}" }.joined(separator: " ")
        )
        var lines = answer.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        // Each line ends with a line feed, the last one too.
        lines.removeLast()
        let flags = lines.removeLast().split(separator: " ").map { $0 == "1" }
        guard flags.count == modes.count else {
            throw Failure(description: "tmux does not tell the modes: \(answer.suffix(80))")
        }
        return Picture(
            lines: lines,
            showsCursor: flags[0],
            usesAlternateScreen: flags[1],
            followsMouse: flags[2],
            sendsApplicationKeys: flags[3]
        )
    }

    /// Waits until the window shows what is expected.
    ///
    /// - Parameters:
    ///   - what: named when it does not come.
    ///   - isMet: whether a picture is the one.
    /// - Returns: the first picture that is.
    /// - Throws: ``Failure`` with the last picture if none came in time.
    @discardableResult
    func picture(
        _ what: String,
        where isMet: (Picture) throws -> Bool
    ) async throws -> Picture {
        var last = try picture()
        let end = ContinuousClock.now + Self.patience
        while try !isMet(last) {
            guard ContinuousClock.now < end else {
                throw Failure(description: "the window never showed \(what), but:\n\(last)")
            }
            try await Task.sleep(for: .milliseconds(20))
            last = try picture()
        }
        return last
    }

    /// The process in the foreground of the window: hoga, or the shell.
    func foreground() throws -> (name: String, shell: Int32) {
        let words = try tell("display-message", "-p", "#{pane_current_command} #{pane_pid}")
            .split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let shell = Int32(words[1]) else {
            throw Failure(description: "tmux does not tell what runs: \(words)")
        }
        return (String(words[0]), shell)
    }

    /// Asks tmux, and waits for what it answers.
    @discardableResult
    func tell(_ words: String...) throws -> String { try tell(words) }

    @discardableResult
    func tell(_ words: [String]) throws -> String {
        guard let answer = try answers(words) else {
            throw Failure(description: "tmux refuses: \(words.prefix(4).joined(separator: " "))")
        }
        return answer
    }

    /// What tmux answers, or `nil` if it refuses or does not listen.
    private func answers(_ words: String...) throws -> String? { try answers(words) }

    private func answers(_ words: [String]) throws -> String? {
        let client = Process()
        client.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Never with a server of its own (-N), which would not end with the window.
        client.arguments = ["tmux", "-N", "-S", folder + "/socket"] + words
        client.environment = HogaProcess.environment()
        client.standardInput = FileHandle.nullDevice
        client.standardError = FileHandle.nullDevice
        let output = Pipe()
        client.standardOutput = output
        try client.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        client.waitUntilExit()
        return client.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
    }

    /// Waits until something is so.
    func until(_ what: String, _ isMet: () throws -> Bool) async throws {
        let end = ContinuousClock.now + Self.patience
        while try !isMet() {
            guard ContinuousClock.now < end else { throw Failure(description: "never: \(what)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
