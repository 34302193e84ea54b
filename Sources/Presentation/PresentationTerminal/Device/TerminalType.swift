import CNCurses

/// The type of the terminal, by which terminfo describes it.
enum TerminalType {
    /// The type that stands in for one without a description.
    ///
    /// New terminals (kitty, foot, ghostty, Alacritty) understand its sequences.
    static let standIn = "xterm-256color"

    /// Whether the stand-in may be tried: a terminal is named, but has no description here.
    static var mayBeReplaced: Bool {
        hoga_names_terminal() != 0 && hoga_known_color_count(nil) < 0
    }
}
