/// Whether texts are sent to the terminal for its clipboard, which may be on another machine.
public enum ClipboardAccess: Sendable, Hashable {
    /// The terminal takes them.
    case available
    /// Nothing says that the terminal takes them.
    case unknown
    /// The user wants none sent.
    case off

    /// Terminals that take texts as delivered, by the parts of their names.
    private static let names: Set<String> = [
        "alacritty", "contour", "foot", "ghostty", "iterm", "kitty", "rio", "wezterm",
    ]

    /// The access of a terminal.
    ///
    /// - Parameters:
    ///   - wanted: the user's choice; nil to decide by what follows.
    ///   - isDescribed: whether its terminfo entry has the capability (`Ms`).
    ///   - environment: `TERM` and `TERM_PROGRAM` name the terminal.
    public init(wanted: Bool?, isDescribed: Bool, environment: [String: String]) {
        if let wanted {
            self = wanted ? .available : .off
            return
        }
        let named = TerminalNames.words(of: environment)
        self = isDescribed || !Self.names.isDisjoint(with: named) ? .available : .unknown
    }
}

/// What a copy key copies.
public enum CopyTarget: Sendable, Hashable {
    /// The selected row, the candle under the cross-hair, else the price of the open market.
    case marked
    /// The screen as text.
    case screen
}

/// The result of a copy key.
public enum CopyResult: Sendable, Hashable {
    /// The text was sent to the terminal.
    case copied
    /// Nothing is marked.
    case nothingMarked
    /// The text is longer than terminals take.
    case tooLong
    /// Nothing was sent: nothing says that the terminal takes it.
    case unknownTerminal
    /// Nothing was sent: the user wants none sent.
    case off
}
