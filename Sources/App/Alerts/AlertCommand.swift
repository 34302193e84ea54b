import ChildPrograms
import Domain

/// The user's command for alerts (`--alert-command`): a program and its arguments.
///
/// No shell runs: nothing in the words is expanded.
struct AlertCommand: Sendable, Equatable {
    /// The longest run.
    static let timeLimit = Duration.seconds(10)
    /// The time that it then has to end by itself.
    static let grace = Duration.seconds(1)
    /// The end of its errors that is kept for the message, in bytes.
    static let errorBytesMax = 4 << 10

    /// Why a text is no command.
    enum ParseError: Error, Equatable {
        case unclosedQuote
        case nothingAfterBackslash
        case zeroByte
        case noProgram

        /// The fault and its remedy.
        var detail: String {
            switch self {
            case .unclosedQuote: "a quote is not closed"
            case .nothingAfterBackslash: "nothing follows the backslash at the end"
            case .zeroByte: "must not contain a zero byte"
            case .noProgram: "names no program, e.g. notify-send hoga"
            }
        }
    }

    /// The program and its arguments.
    let words: [String]

    /// Divides a text into words as a shell does, and expands nothing.
    ///
    /// Blanks, tabs and line breaks separate words. Within single quotes every character stands for
    /// itself; within double quotes a backslash does so only before `"` and `\`; elsewhere a
    /// backslash makes the next character a part of the word.
    init(parsing text: String) throws(ParseError) {
        guard !text.utf8.contains(0) else { throw .zeroByte }
        var words: [String] = []
        var word: String?
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case " ", "\t", "\n", "\r\n":
                if let word { words.append(word) }
                word = nil
            case "'":
                guard let end = rest.firstIndex(of: "'") else { throw .unclosedQuote }
                word = (word ?? "") + rest[..<end]
                rest = rest[rest.index(after: end)...]
            case "\"": word = (word ?? "") + (try Self.quoted(&rest))
            case "\\":
                guard let next = rest.popFirst() else { throw .nothingAfterBackslash }
                word = (word ?? "") + String(next)
            default: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        guard words.first?.isEmpty == false else { throw .noProgram }
        self.words = words
    }

    /// Reads to the end of double quotes.
    private static func quoted(_ rest: inout Substring) throws(ParseError) -> String {
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return text
            case "\\":
                guard let next = rest.popFirst() else { throw .unclosedQuote }
                text += next == "\"" || next == "\\" ? String(next) : "\\" + String(next)
            default: text.append(character)
            }
        }
        throw .unclosedQuote
    }

    /// The variables of hoga that the command gets: none of its settings, and no secrets.
    static func environment(from variables: [String: String]) -> [String: String] {
        variables.filter { inherited.contains($0.key) || $0.key.hasPrefix("LC_") }
    }

    private static let inherited: Set<String> = [
        "PATH", "HOME", "USER", "LANG", "TZ", "TERM", "DISPLAY", "WAYLAND_DISPLAY",
        "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR",
    ]

    /// One run of the command, with `input` on its standard input.
    ///
    /// Of the variables of hoga it gets those of ``environment(from:)``.
    func program(reading input: [UInt8], _ variables: [String: String]) -> ChildProgram {
        var program = ChildProgram(words, environment: Self.environment(from: variables))
        program.input = input
        program.errorBytesMax = Self.errorBytesMax
        program.timeLimit = Self.timeLimit
        program.grace = Self.grace
        program.leadsSession = true
        return program
    }
}
