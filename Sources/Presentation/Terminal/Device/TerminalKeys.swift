import CNCurses

/// What ncurses reads, as units for the decoder.
enum TerminalKeys {
    /// Numbers for the marks around pasted text: beyond those that ncurses gives to keys.
    private static let pasteBegins: Int32 = 0x2000
    private static let pasteEnds: Int32 = 0x2001

    /// Makes ncurses recognise the marks around pasted text.
    static func definePasteMarks() {
        if let text = TerminalCapability.pasteBegins.text { unsafe define_key(text, pasteBegins) }
        if let text = TerminalCapability.pasteEnds.text { unsafe define_key(text, pasteEnds) }
    }

    /// What a code means; nil for keys that have no use here.
    static func unit(of code: Int32) -> InputUnit? {
        switch code {
        case 0...255: .byte(UInt8(code))
        case pasteBegins: .pasteBegin
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
        case KEY_ENTER: .key(.enter)
        case KEY_BACKSPACE: .key(.backspace)
        default: nil
        }
    }
}
