/// Something that stands behind a command's words.
struct CommandOperand: Sendable, Equatable {
    /// What stands for it in help texts.
    let name: String
    /// What it is, in a line.
    let summary: String
    /// Whether it may be left out; those behind it may be too.
    let isOptional: Bool
    /// What a shell may offer for it.
    let values: CompletionValues

    init(
        _ name: String,
        _ summary: String,
        isOptional: Bool = false,
        values: CompletionValues = .none
    ) {
        self.name = name
        self.summary = summary
        self.isOptional = isOptional
        self.values = values
    }

    /// A market.
    static let market = CommandOperand("MARKET", "a market like BTC_KRW")
    /// A coin.
    static let asset = CommandOperand("ASSET", "a coin like BTC")
    /// A user.
    static let user = CommandOperand("NAME", "the name of a user; `local` in a store of one's own")
    /// What is printed in place of the list.
    static let watched = CommandOperand(
        "WHAT",
        "with --once or --plain: a market like BTC_KRW, or "
            + WatchSubject.names.joined(separator: ", "),
        isOptional: true,
        values: .words(WatchSubject.names)
    )

    /// `NAME`, or `[NAME]` if it may be left out.
    var spelling: String { isOptional ? "[\(name)]" : name }
}

/// What a shell may offer where a value is wanted.
enum CompletionValues: Sendable, Equatable {
    /// Nothing: only the user knows.
    case none
    /// One of these words.
    case words([String])
    /// Any of these words, with commas between them.
    case list([String])
    /// Names of files and folders.
    case files
    /// Names of files and folders, or one of these words.
    case filesOr([String])

    /// Words that help texts put where the user's own value stands.
    private static let placeholders: Set<String> = [
        "N", "PATH", "FILE", "URL", "ID", "TIME", "DATE", "DURATION", "TEXT", "PRICE", "TOKEN",
    ]

    /// Reads what help texts show for a value: `ko|en`, `PATH|none`, `N`.
    ///
    /// An example, such as `BTC_KRW`, offers nothing.
    init(valueName: String) {
        let parts = valueName.split(separator: "|").map(String.init)
        let words = parts.filter { !Self.placeholders.contains($0) }
            // `replay:PATH` begins with a word and goes on with the user's.
            .map { $0.hasSuffix(":PATH") ? String($0.dropLast(4)) : $0 }
        let isFile = parts.contains("PATH") || parts.contains("FILE")
        if isFile {
            self = words.isEmpty ? .files : .filesOr(words)
        } else if parts.count > 1 {
            self = words.isEmpty ? .none : .words(words)
        } else if valueName.contains(","), valueName == valueName.lowercased() {
            let names = valueName.split(separator: ",").map(String.init)
            self = names.contains("…") ? .none : .list(names)
        } else {
            self = .none
        }
    }
}
