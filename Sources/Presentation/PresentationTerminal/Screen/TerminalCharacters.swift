/// Which characters a terminal shows.
public enum TerminalCharacters: Sendable, Hashable, CaseIterable {
    /// All of Unicode.
    case unicode
    /// The 95 printable ASCII characters.
    case ascii

    /// Decides for a terminal without a user setting.
    ///
    /// A locale with a character set other than UTF-8 means ASCII. C, POSIX and an unset locale
    /// mean Unicode: containers and remote shells use them while the terminal shows Unicode. An
    /// uninstalled UTF-8 locale means Unicode too. The Linux console shows neither Hangul nor most
    /// symbols, so it means ASCII.
    ///
    /// - Parameters:
    ///   - environment: for the locale (``NamedLocale``) and `TERM`.
    ///   - codeset: the locale's character set; nil if the locale is not installed.
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

/// The user's options for this terminal and run; nil means automatic.
public struct TerminalOptions: Sendable, Hashable {
    /// The maximum color depth.
    public var colors: ColorDepth?
    /// Which characters are shown.
    public var characters: TerminalCharacters?
    /// Whether texts are sent to the terminal's clipboard.
    public var copies: Bool?
    /// How alerts are notified.
    public var notifies: NotificationMethod?

    /// Creates options; automatic by default.
    public init(
        colors: ColorDepth? = nil,
        characters: TerminalCharacters? = nil,
        copies: Bool? = nil,
        notifies: NotificationMethod? = nil
    ) {
        self.colors = colors
        self.characters = characters
        self.copies = copies
        self.notifies = notifies
    }
}
