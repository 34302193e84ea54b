import Foundation
import PresentationTerminal

/// A window of tmux, a real terminal, with a shell in it.
///
/// One control connection (`tmux -C`) takes commands and reports output of the window, so that a
/// wait for a screen ends when the terminal has drawn something. Letting go of the object closes
/// the window, and what runs in it loses its terminal.
final class TmuxTerminal: TestTerminal {
    /// The shell's prompt.
    static let prompt = "sh$"

    /// The folder for the files of the window and of the program in it.
    let home: String
    private let control: TmuxControl

    /// Opens a window with a shell.
    ///
    /// - Parameters:
    ///   - columns: its width.
    ///   - rows: its height.
    ///   - terminal: the value of TERM in it.
    ///   - extra: variables besides those of ``HogaProcess/environment(_:)``.
    ///   - settings: lines for tmux's configuration.
    /// - Throws: ``TerminalFailure``, or Foundation's error if tmux cannot be started.
    init(
        columns: Int = 80,
        rows: Int = 24,
        terminal: String = "tmux-256color",
        environment extra: [String: String] = [:],
        settings: String = ""
    ) async throws {
        home = NSTemporaryDirectory() + "hoga-window-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let settingsPath = home + "/settings"
        try """
        set -g default-terminal \(terminal)
        \(settings)
        """.write(toFile: settingsPath, atomically: true, encoding: .utf8)
        var environment = HogaProcess.environment()
        for name in ["DATA", "CONFIG", "STATE", "CACHE"] {
            environment["XDG_\(name)_HOME"] = home
        }
        environment["HISTFILE"] = ""
        environment["HOGA"] = HogaProcess.path
        environment["TMUX"] = nil
        // Swift's backtracer would catch fatal signals before hoga does.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["LANG"] = nil
        control = try TmuxControl(
            folder: home,
            settings: settingsPath,
            size: (columns, rows),
            environment: environment.merging(extra) { $1 },
            // `env` exports PS1 to this shell alone.
            command: "exec env PS1='\(Self.prompt) ' bash --norc --noprofile -i"
        )
        try await screen("a shell") { $0.contains(Self.prompt) }
    }

    deinit {
        control.close()
        try? FileManager.default.removeItem(atPath: home)
    }

    // MARK: Input

    func type(_ text: String) throws { try tell("send-keys", "-l", "--", text) }

    /// Presses keys by tmux's names for them, such as `Enter`, `Escape`, `Up`, `C-c`.
    func press(_ keys: String...) throws { try tell(["send-keys"] + keys) }

    func press(_ key: Key) throws {
        switch key {
        case .character(" "): try press("Space")
        case .character(let scalar): try type(String(scalar))
        case .control(let scalar): try press("C-\(scalar)")
        case .backTab: try press("BTab")
        case .backspace: try press("BSpace")
        case .insert: try press("IC")
        case .delete: try press("DC")
        case .controlUp: try press("C-Up")
        case .controlDown: try press("C-Down")
        case .escape: try press("Escape")
        case .enter, .tab, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .function:
            // tmux uses the names of hoga's configuration.
            try press(key.name)
        }
    }

    /// Types a command line for the shell and presses Enter.
    func run(_ command: String) throws {
        try type(command)
        try press("Enter")
    }

    func send(bytes: [UInt8]) throws {
        // tmux limits the length of a command.
        for start in stride(from: 0, to: bytes.count, by: 512) {
            let piece = bytes[start..<min(start + 512, bytes.count)]
            try tell(["send-keys", "-H"] + piece.map { String($0, radix: 16) })
        }
    }

    func paste(bytes: [UInt8], isMarked: Bool = true) throws {
        let path = home + "/paste"
        try Data(bytes).write(to: URL(filePath: path))
        try tell("load-buffer", path)
        try tell(["paste-buffer", "-r"] + (isMarked ? ["-p"] : []))
    }

    func resize(columns: Int, rows: Int) throws {
        try tell("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    // MARK: Output

    func screen() throws -> ScreenText {
        let modes = [
            "cursor_flag", "alternate_on", "mouse_any_flag", "keypad_cursor_flag",
        ]
        // tmux runs the two commands of a line without output in between.
        let lines = try control.answers([
            ["capture-pane", "-p"],
            ["display-message", "-p", modes.map { "#{\($0)}" }.joined(separator: " ")],
        ])
        let flags = (lines[1].first ?? "").split(separator: " ").map { $0 == "1" }
        guard flags.count == modes.count else {
            throw TerminalFailure(description: "tmux does not report the modes: \(lines[1])")
        }
        return ScreenText(
            lines: lines[0].map { String($0.reversed().drop { $0 == " " }.reversed()) },
            showsCursor: flags[0],
            usesAlternateScreen: flags[1],
            followsMouse: flags[2],
            sendsApplicationKeys: flags[3]
        )
    }

    @discardableResult
    func screen(
        _ expected: String,
        where isMet: (ScreenText) throws -> Bool
    ) async throws -> ScreenText {
        while true {
            let count = control.outputCount
            let screen = try screen()
            if try isMet(screen) {
                // tmux may show a frame of which it has read one part.
                try await Task.sleep(for: .milliseconds(20))
                let whole = try self.screen()
                if try isMet(whole) { return whole }
                continue
            }
            do {
                try await control.output(after: count)
            } catch {
                throw TerminalFailure.never(expected, but: screen)
            }
        }
    }

    /// The process group leader in the foreground, hoga or the shell, and the shell's process.
    func foreground() throws -> (name: String, shell: Int32) {
        let words = try tell("display-message", "-p", "#{pane_current_command} #{pane_pid}")
            .split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let shell = Int32(words[1]) else {
            throw TerminalFailure(description: "tmux does not report what runs: \(words)")
        }
        return (String(words[0]), shell)
    }

    /// Runs a command of tmux and returns its output.
    @discardableResult
    func tell(_ words: String...) throws -> String { try tell(words) }

    @discardableResult
    func tell(_ words: [String]) throws -> String {
        try control.answers([words])[0].joined(separator: "\n")
    }
}
