import CNCurses
import Glibc

/// What a terminal is, without taking it.
public struct TerminalFacts: Sendable, Hashable {
    /// Whether standard input and output are a terminal.
    public let isTerminal: Bool
    /// Its size; nil if it does not tell.
    public let size: TerminalSize?
    /// What the locale of the environment calls its characters: `UTF-8`.
    public let codeset: String
    /// How many colours the terminfo database knows it to have; nil for a terminal it does not
    /// know.
    public let colorCount: Int?

    /// Makes facts.
    public init(isTerminal: Bool, size: TerminalSize?, codeset: String, colorCount: Int?) {
        self.isTerminal = isTerminal
        self.size = size
        self.codeset = codeset
        self.colorCount = colorCount
    }

    /// Looks.
    ///
    /// It takes the environment's locale for the characters of this process.
    public static func current() -> TerminalFacts {
        // Safe: the empty name stands for the environment's own locale, and the answer is not kept.
        unsafe _ = setlocale(LC_CTYPE, "")
        var window = winsize()
        // Safe: the call fills the structure it is given.
        let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0
        let hasSize = isKnown && window.ws_col > 0 && window.ws_row > 0
        // Safe: the library's own text, copied at once.
        let codeset = unsafe nl_langinfo(nl_item(CODESET)).map { unsafe String(cString: $0) }
        let colors = hoga_known_color_count()
        return TerminalFacts(
            isTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1,
            size: hasSize
                ? TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : nil,
            codeset: codeset ?? "",
            colorCount: colors < 0 ? nil : Int(colors)
        )
    }
}
