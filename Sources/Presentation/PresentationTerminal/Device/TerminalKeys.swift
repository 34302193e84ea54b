import CNCurses

/// Translates ncurses codes to input units for the decoder.
enum TerminalKeys {
    /// Numbers for the marks around pasted text: beyond those that ncurses gives to keys.
    private static let pasteBegins: Int32 = 0x2000
    private static let pasteEnds: Int32 = 0x2001
    private static let controlUp: Int32 = 0x2002
    private static let controlDown: Int32 = 0x2003
    private static let mouseBegins: Int32 = 0x2004
    /// The number of the function key 0, as curses.h of ncurses 6 defines it.
    private static let functionKeys: Int32 = 0o410

    /// Makes ncurses recognize the marks around pasted text.
    static func definePasteMarks() {
        if let text = TerminalCapability.pasteBegins.text { unsafe define_key(text, pasteBegins) }
        if let text = TerminalCapability.pasteEnds.text { unsafe define_key(text, pasteEnds) }
    }

    /// Makes ncurses recognize arrows together with Ctrl: as the terminal's description names them,
    /// and as xterm and nearly all others send them.
    static func defineControlArrows() {
        let up = [TerminalCapability.controlUp.text, "\u{1B}[1;5A"].compactMap { $0 }
        let down = [TerminalCapability.controlDown.text, "\u{1B}[1;5B"].compactMap { $0 }
        for text in up { unsafe define_key(text, controlUp) }
        for text in down { unsafe define_key(text, controlDown) }
    }

    /// Defines arrows, Home and End in all common encodings.
    ///
    /// Terminals differ in cursor-key mode, and some ignore it. tmux and PuTTY send the VT220 codes
    /// for Home and End, rxvt its own, whatever `TERM` says.
    static func defineOtherArrows() {
        let keys = [
            ("A", KEY_UP), ("B", KEY_DOWN), ("C", KEY_RIGHT), ("D", KEY_LEFT), ("H", KEY_HOME),
            ("F", KEY_END),
        ]
        let numbers = [("1~", KEY_HOME), ("7~", KEY_HOME), ("4~", KEY_END), ("8~", KEY_END)]
        let texts =
            keys.flatMap { [("[" + $0, $1), ("O" + $0, $1)] } + numbers.map { ("[" + $0, $1) }
        for (rest, key) in texts {
            let text = "\u{1B}" + rest
            // Definitions from terminfo take precedence.
            if unsafe key_defined(text) == 0 { unsafe define_key(text, key) }
        }
    }

    /// Leaves mouse reports to the decoder, even if the mouse is disabled: ncurses would consume
    /// the prefix only, and the rest would be read as typed text.
    static func defineMouseReports() {
        define_key(nil, KEY_MOUSE)
        unsafe define_key("\u{1B}[<", mouseBegins)
    }

    /// The input unit of a code; nil for unused keys.
    static func unit(of code: Int32) -> InputUnit? {
        switch code {
        case 0...255: .byte(UInt8(code))
        case pasteBegins: .pasteBegin
        case mouseBegins: .mouseBegin
        case pasteEnds: .pasteEnd
        case KEY_UP: .key(.up)
        case KEY_DOWN: .key(.down)
        case KEY_LEFT: .key(.left)
        case KEY_RIGHT: .key(.right)
        case KEY_PPAGE: .key(.pageUp)
        case KEY_NPAGE: .key(.pageDown)
        case KEY_HOME: .key(.home)
        case KEY_END: .key(.end)
        case KEY_BTAB: .key(.backTab)
        case controlUp: .key(.controlUp)
        case controlDown: .key(.controlDown)
        case KEY_ENTER: .key(.enter)
        case KEY_BACKSPACE: .key(.backspace)
        case KEY_IC: .key(.insert)
        case KEY_DC: .key(.delete)
        case (functionKeys + 1)...(functionKeys + Int32(Key.functionMax)):
            .key(.function(Int(code - functionKeys)))
        default: nil
        }
    }
}
