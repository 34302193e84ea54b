/// Which characters a terminal shows.
public enum TerminalCharacters: Sendable, Hashable, CaseIterable {
    /// All of Unicode.
    case unicode
    /// The 95 of ASCII that can be printed, and nothing else.
    case ascii

    /// Decides for a terminal of which nobody said it.
    ///
    /// A locale that names another character set than UTF-8 is what somebody has set because his
    /// terminal is like that. The locales C and POSIX, and none at all, say nothing of a terminal:
    /// containers and remote shells have them, and the terminals before them show Unicode. So does
    /// a locale that names UTF-8 and is not installed. The Linux console has neither Hangul nor
    /// most of the signs.
    ///
    /// - Parameters:
    ///   - environment: what names the locale (``NamedLocale``); `TERM`.
    ///   - codeset: what the C library calls the locale's characters; nil where the locale is not
    ///     installed.
    public init(environment: [String: String], codeset: String?) {
        if environment["TERM"] == "linux" {
            self = .ascii
            return
        }
        let name = NamedLocale(environment: environment)?.name ?? "C"
        let locale = name.prefix { $0 != "@" }.split(separator: ".", maxSplits: 1)
        let named = locale.count == 2 ? String(locale[1]) : nil
        if locale.first.map({ $0 == "C" || $0 == "POSIX" }) ?? true, named == nil {
            self = .unicode
            return
        }
        guard let set = named ?? codeset else {
            self = .unicode
            return
        }
        let letters = set.lowercased().filter { $0.isLetter || $0.isNumber }
        self = letters == "utf8" ? .unicode : .ascii
    }
}

/// What a user decides for one terminal and one run; nil leaves it to the terminal.
public struct TerminalOptions: Sendable, Hashable {
    /// How many colours are used at the most.
    public var colors: ColorDepth?
    /// Which characters are shown.
    public var characters: TerminalCharacters?

    /// Leaves everything to the terminal unless told.
    public init(colors: ColorDepth? = nil, characters: TerminalCharacters? = nil) {
        self.colors = colors
        self.characters = characters
    }
}
