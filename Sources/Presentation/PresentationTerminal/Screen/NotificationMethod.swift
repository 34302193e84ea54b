/// How a terminal tells its user about an alert.
public enum NotificationMethod: String, Sendable, Hashable, CaseIterable {
    /// It rings the bell.
    case bell
    /// OSC 9: iTerm2, WezTerm, Ghostty, Windows Terminal.
    case osc9
    /// OSC 777: urxvt, foot.
    case osc777
    /// OSC 99: kitty.
    case osc99
    /// Not at all.
    case off

    /// Terminals that notify as delivered, by the parts of their names.
    private static let names: [(NotificationMethod, Set<String>)] = [
        (.osc99, ["kitty"]),
        (.osc9, ["ghostty", "iterm", "wezterm"]),
        (.osc777, ["foot", "rxvt"]),
    ]

    /// The method of a terminal.
    ///
    /// Within tmux and screen the bell: nothing says whether they pass anything else on.
    ///
    /// - Parameters:
    ///   - wanted: the user's choice; nil to decide by what follows.
    ///   - environment: `TERM`, `TERM_PROGRAM` and `WT_SESSION` name the terminal, and `TMUX` the
    ///     multiplexer.
    public init(wanted: NotificationMethod?, environment: [String: String]) {
        let named = TerminalNames.words(of: environment)
        if let wanted {
            self = wanted
        } else if environment["TMUX"] != nil || !named.isDisjoint(with: ["tmux", "screen"]) {
            self = .bell
        } else if let known = Self.names.first(where: { !$0.1.isDisjoint(with: named) }) {
            self = known.0
        } else {
            self = environment["WT_SESSION"] == nil ? .bell : .osc9
        }
    }
}

/// The names by which terminals are known.
enum TerminalNames {
    /// The parts of `TERM` and `TERM_PROGRAM`, in lower case.
    static func words(of environment: [String: String]) -> Set<String> {
        let names = ["TERM", "TERM_PROGRAM"].compactMap { environment[$0]?.lowercased() }
        return Set(names.flatMap { $0.split { !$0.isLetter }.map(String.init) })
    }
}
