import CNCurses
import Glibc

/// Properties of the terminal, read without opening it.
public struct TerminalInfo: Sendable, Hashable {
    /// Whether standard input and output are a terminal.
    public let isTerminal: Bool
    /// Its size; nil if unknown.
    public let size: TerminalSize?
    /// The locale that the environment names; nil if it names none.
    public let locale: NamedLocale?
    /// The locale's character set, for example `UTF-8`; nil if the locale is not installed.
    public let codeset: String?
    /// How many colors it has by the terminfo database and `COLORTERM`; nil for a terminal that the
    /// database does not know.
    public let colorCount: Int?
    /// The type that stands in for a terminal without a terminfo entry; nil if it has one, or if
    /// no terminal is named.
    public let standIn: String?

    /// Makes facts.
    public init(
        isTerminal: Bool,
        size: TerminalSize?,
        locale: NamedLocale?,
        codeset: String?,
        colorCount: Int?,
        standIn: String? = nil
    ) {
        self.isTerminal = isTerminal
        self.size = size
        self.locale = locale
        self.codeset = codeset
        self.colorCount = colorCount
        self.standIn = standIn
    }

    /// Reads the current properties.
    ///
    /// Sets the process's character locale from the environment.
    ///
    /// - Parameter environment: of the process, for the name of the locale.
    /// - Returns: the properties.
    public static func current(environment: [String: String]) -> TerminalInfo {
        var window = winsize()
        // Safe: the call fills the structure it is given.
        let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0
        let hasSize = isKnown && window.ws_col > 0 && window.ws_row > 0
        let standIn = TerminalType.mayBeReplaced ? TerminalType.standIn : nil
        var colors = Int(unsafe hoga_known_color_count(standIn))
        if colors >= 8,
            TerminalColors.isTrueColorStated(environment: environment, standIn: standIn)
        {
            colors = 1 << 24
        }
        return TerminalInfo(
            isTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1,
            size: hasSize
                ? TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : nil,
            locale: NamedLocale(environment: environment),
            codeset: TerminalLocale.codeset(),
            colorCount: colors < 0 ? nil : colors,
            standIn: standIn
        )
    }
}
