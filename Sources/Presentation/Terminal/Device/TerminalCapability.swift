import CNCurses

/// Strings of the terminfo database for the terminal that is open.
enum TerminalCapability: String {
    case cursorAddress = "cup"
    case leaveFullScreen = "rmcup"
    case showCursor = "cnorm"
    case plainText = "sgr0"
    case originalColors = "op"
    case plainKeypad = "rmkx"
    /// The four of bracketed paste, as user-defined capabilities name them.
    case pasteOn = "BE"
    case pasteOff = "BD"
    case pasteBegins = "PS"
    case pasteEnds = "PE"

    /// Arrows together with Ctrl, as ncurses names the extended keys.
    case controlUp = "kUP5"
    case controlDown = "kDN5"

    /// The string, or nil if the terminal has none.
    var text: String? {
        guard let text = unsafe hoga_capability(rawValue) else { return nil }
        return unsafe String(cString: text)
    }

    /// How pasted text is marked off; nil where the terminal does not do it.
    static var bracketedPaste: (begin: String, end: String)? {
        guard let on = pasteOn.text, let off = pasteOff.text, pasteBegins.text != nil,
            pasteEnds.text != nil
        else { return nil }
        return (on, off)
    }

    /// What gives the terminal back, in the order of writing.
    static func resetTexts(bracketedPaste: (begin: String, end: String)?) -> [String] {
        let named = [plainKeypad, originalColors, plainText, showCursor].compactMap(\.text)
        // Without a second screen the shell goes on below what is shown.
        let last = leaveFullScreen.text ?? "\r\n"
        return [last] + [bracketedPaste?.end].compactMap { $0 } + named
    }
}
