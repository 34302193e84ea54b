extension Command {
    static let completions = Command(
        "completions",
        "Print a shell completion script",
        operands: [
            CommandOperand(
                "SHELL",
                Shell.allCases.map(\.rawValue).joined(separator: ", "),
                .words(of: Shell.self)
            )
        ],
        action: .text { invocation throws(ProgramError) in
            let name = invocation.required(0)
            guard let shell = Shell(rawValue: name) else {
                throw ProgramError(
                    .usage,
                    "unknown SHELL '\(name)'; use one of "
                        + Shell.allCases.map(\.rawValue).joined(separator: ", ")
                )
            }
            return shell.completions + "\n"
        }
    )
}

/// A shell with completions for hoga.
enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish

    /// The completion script.
    var completions: String {
        switch self {
        case .bash: BashCompletions.script
        case .zsh: ZshCompletions.script
        case .fish: FishCompletions.script
        }
    }
}

/// The words, flags and values that shells complete, read from the rows of the commands.
enum CompletionTable {
    /// A word of a command.
    struct Word: Sendable, Equatable {
        let text: String
        let summary: String
    }

    /// A flag.
    struct Flag: Sendable, Equatable {
        let text: String
        /// The values to complete; nil for a flag without a value.
        let values: CompletionValues?
        let summary: String
    }

    /// Incomplete command prefixes, the empty one first, and the words that may follow each.
    static var prefixes: [(words: [String], next: [Word])] {
        var known: [[String]] = [[]]
        for command in Command.allCases {
            for count in 1..<command.words.count {
                let words = Array(command.words.prefix(count))
                if !known.contains(words) { known.append(words) }
            }
        }
        return known.map { ($0, next(after: $0)) }
    }

    /// The flags of a command.
    static func flags(of command: Command) -> [Flag] {
        let options = command.options.map { option in
            Flag(text: option.flag, values: option.form?.completions, summary: option.summary)
        }
        let settings = command.settings.map { setting in
            Flag(
                text: setting.flag,
                // A flag that may stand alone takes only an attached value.
                values: setting.bareValue == nil ? setting.form.completions : nil,
                summary: setting.summary
            )
        }
        return options + settings + [help]
    }

    /// The flags with a value, in alphabetical order.
    ///
    /// A flag that takes other values in some command has a row for that command, before the row
    /// for all others.
    static var valuedFlags: [(command: Command?, flag: Flag)] {
        let rows = Command.allCases.flatMap { command in
            flags(of: command).filter { $0.values != nil }.map { (command: command, flag: $0) }
        }
        let byText = Dictionary(grouping: rows) { $0.flag.text }
        return byText.sorted { $0.key < $1.key }.flatMap { _, rows in
            let usual = mostCommon(rows.map(\.flag))
            let others = rows.filter { $0.flag.values != usual.values }
            return others.map { ($0.command, $0.flag) } + [(nil, usual)]
        }
    }

    /// The flag whose values most commands share; the first of them.
    private static func mostCommon(_ flags: [Flag]) -> Flag {
        let counts = flags.map { flag in flags.count { $0.values == flag.values } }
        return flags[counts.firstIndex(of: counts.max() ?? 0) ?? 0]
    }

    /// Flags that may stand before any command.
    static let general = [
        help, Flag(text: "--version", values: nil, summary: "print version and commit"),
    ]

    private static let help = Flag(text: "--help", values: nil, summary: "print help")

    private static func next(after words: [String]) -> [Word] {
        var found: [Word] = []
        for command in Command.allCases
        where command.words.count > words.count && command.words.starts(with: words) {
            let word = command.words[words.count]
            guard !found.contains(where: { $0.text == word }) else { continue }
            let isWhole = command.words.count == words.count + 1
            let summary = isWhole ? command.summary : summary(of: words + [word])
            found.append(Word(text: word, summary: summary))
        }
        return found
    }

    /// The words that may follow an incomplete command.
    private static func summary(of words: [String]) -> String {
        next(after: words).map(\.text).joined(separator: ", ")
    }
}
