/// What shells complete, read from the same tables as the command line and its help.
enum CompletionTable {
    /// A word that may be offered, and what it does.
    struct Word: Sendable, Equatable {
        let text: String
        let summary: String
    }

    /// A flag, its value and what it does.
    struct Flag: Sendable, Equatable {
        let text: String
        /// What is offered for its value; nil for a flag without one.
        let values: CompletionValues?
        let summary: String
    }

    /// The beginnings of commands that are none by themselves, the empty one first, and the words
    /// that may follow each.
    static var beginnings: [(words: [String], next: [Word])] {
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
            Flag(
                text: option.rawValue,
                values: option.valueName.map { CompletionValues(valueName: $0) },
                summary: option.summary
            )
        }
        let settings = command.settings.map { setting in
            Flag(
                text: setting.flag,
                // Of a flag that stands alone, a value would have to be attached.
                values: setting.bareValue == nil
                    ? CompletionValues(valueName: setting.valueName) : nil,
                summary: setting.summary
            )
        }
        return options + settings + [help]
    }

    /// All flags that a value follows, each once, alphabetical: the same flag takes the same values
    /// wherever it stands.
    static var valuedFlags: [Flag] {
        var known: [String: Flag] = [:]
        for flag in Command.allCases.flatMap({ flags(of: $0) }) where flag.values != nil {
            let earlier = known.updateValue(flag, forKey: flag.text)
            precondition(
                earlier == nil || earlier?.values == flag.values,
                "\(flag.text) takes other values elsewhere"
            )
        }
        return known.values.sorted { $0.text < $1.text }
    }

    /// What may stand where no command has begun yet.
    static let general = [
        help, Flag(text: "--version", values: nil, summary: "version and commit"),
    ]

    private static let help = Flag(text: "--help", values: nil, summary: "tells all of this")

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

    /// What may follow, for the beginning of several commands.
    private static func summary(of words: [String]) -> String {
        next(after: words).map(\.text).joined(separator: ", ")
    }
}

/// A shell that hoga can be completed in.
enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish

    /// A script that the shell reads.
    var completions: String {
        switch self {
        case .bash: BashCompletions.script
        case .zsh: ZshCompletions.script
        case .fish: FishCompletions.script
        }
    }
}
