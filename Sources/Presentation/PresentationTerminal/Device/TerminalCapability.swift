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

    /// The mouse: what its reports begin with, and what switches them on and off.
    case mouseReport = "kmous"
    case mouseMode = "XM"

    /// What puts a text into the clipboard.
    case clipboard = "Ms"

    /// Arrows together with Ctrl, as ncurses names the extended keys.
    case controlUp = "kUP5"
    case controlDown = "kDN5"

    /// The string, or nil if the terminal has none.
    var text: String? {
        guard let text = unsafe hoga_capability(rawValue) else { return nil }
        return unsafe String(cString: text)
    }

    /// The sequences that switch bracketed paste; nil if the terminal does not support it.
    static var bracketedPaste: (begin: String, end: String)? {
        guard let on = pasteOn.text, let off = pasteOff.text, pasteBegins.text != nil,
            pasteEnds.text != nil
        else { return nil }
        return (on, off)
    }

    /// The sequences that switch reports of clicks, and of movement while a button is down; nil if
    /// the terminal is not known to support a mouse.
    static var mouseReports: (begin: String, end: String)? {
        guard let clicks else { return nil }
        // Terminals without mode 1002 ignore it, and keep reporting clicks.
        return (clicks.begin + "\u{1B}[?1002h", "\u{1B}[?1002l" + clicks.end)
    }

    private static var clicks: (begin: String, end: String)? {
        if let mode = mouseMode.text {
            guard let on = mouseText(mode, isOn: true), let off = mouseText(mode, isOn: false)
            else { return nil }
            return (on, off)
        }
        // Descriptions that have `kmous` only are older than the `XM` capability.
        guard mouseReport.text != nil else { return nil }
        return ("\u{1B}[?1000h\u{1B}[?1006h", "\u{1B}[?1006l\u{1B}[?1000l")
    }

    private static func mouseText(_ mode: String, isOn: Bool) -> String? {
        // Safe: the library's own buffer, copied at once.
        guard let text = unsafe hoga_mouse_text(mode, isOn ? 1 : 0) else { return nil }
        return unsafe String(cString: text)
    }

    /// Leaves the drawing in place and moves the cursor to an empty line below a screen of `rows`
    /// rows.
    ///
    /// Invisible on terminals with an alternate screen.
    static func exitSequences(rows: Int) -> [String] {
        // Otherwise the line would be filled with the current background.
        var texts = [originalColors, plainText].compactMap(\.text)
        // Safe: the library's own buffer, copied at once.
        if let cup = cursorAddress.text, let bottom = unsafe hoga_row_text(cup, Int32(rows - 1)) {
            texts.append(unsafe String(cString: bottom))
        }
        return texts + ["\r\n"]
    }

    /// The sequences that restore the terminal, in writing order.
    static func resetTexts(
        rows: Int,
        bracketedPaste: (begin: String, end: String)?,
        mouseReports: (begin: String, end: String)?
    ) -> [String] {
        // Reports that go on would be typed into the shell.
        let first = [mouseReports?.end].compactMap { $0 } + exitSequences(rows: rows)
        let last = [leaveFullScreen.text, bracketedPaste?.end].compactMap { $0 }
        return first + last + [plainKeypad, showCursor].compactMap(\.text)
    }
}
