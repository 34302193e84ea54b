import CNCurses
import Glibc

/// What a terminal is, without taking it.
public struct TerminalInfo: Sendable, Hashable {
    /// Whether standard input and output are a terminal.
    public let isTerminal: Bool
    /// Its size; nil if it does not tell.
    public let size: TerminalSize?
    /// The locale that the environment names; nil if it names none.
    public let locale: NamedLocale?
    /// What that locale calls its characters, as `UTF-8`; nil if it is not installed.
    public let codeset: String?
    /// How many colours the terminfo database knows it to have; nil for a terminal it does not
    /// know.
    public let colorCount: Int?

    /// Makes facts.
    public init(
        isTerminal: Bool,
        size: TerminalSize?,
        locale: NamedLocale?,
        codeset: String?,
        colorCount: Int?
    ) {
        self.isTerminal = isTerminal
        self.size = size
        self.locale = locale
        self.codeset = codeset
        self.colorCount = colorCount
    }

    /// Looks.
    ///
    /// It takes the environment's locale for the characters of this process.
    ///
    /// - Parameter environment: of the process, for the name of the locale.
    /// - Returns: what there is.
    public static func current(environment: [String: String]) -> TerminalInfo {
        var window = winsize()
        // Safe: the call fills the structure it is given.
        let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0
        let hasSize = isKnown && window.ws_col > 0 && window.ws_row > 0
        let colors = hoga_known_color_count()
        return TerminalInfo(
            isTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1,
            size: hasSize
                ? TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : nil,
            locale: NamedLocale(environment: environment),
            codeset: TerminalLocale.codeset(),
            colorCount: colors < 0 ? nil : Int(colors)
        )
    }
}
