/// One key of a keyboard, as a terminal tells it.
public enum Key: Sendable, Hashable {
    /// A character key, or what an input method made of several.
    case character(Unicode.Scalar)
    /// A letter together with Ctrl, lower case.
    case control(Unicode.Scalar)
    /// The named keys.
    case enter, escape, tab, backTab, backspace
    /// The arrows.
    case up, down, left, right
    /// The keys above them.
    case pageUp, pageDown, home, end, insert, delete
    /// A function key, by its number from 1 to ``functionMax``.
    case function(Int)
    /// Arrows together with Ctrl.
    case controlUp, controlDown

    /// The highest function key that terminals tell apart from others with Shift.
    public static let functionMax = 12

    /// What arrows are called.
    enum Spelling: Sendable, Hashable {
        /// ↑ and its like.
        case signs
        /// Words of two letters, where there are no arrows: ^ is Ctrl, and v another key.
        case words
    }

    /// How the key is called on the screen, in both languages.
    public var label: String { label(.signs) }

    /// The same where there may be no signs.
    func label(_ spelling: Spelling) -> String {
        switch self {
        case .character(" "): "Space"
        case .character(let scalar): String(scalar)
        case .control(let scalar): "^" + String(scalar).uppercased()
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .backspace: "Backspace"
        case .up: spelling == .signs ? "↑" : "Up"
        case .down: spelling == .signs ? "↓" : "Dn"
        case .left: spelling == .signs ? "←" : "Lt"
        case .right: spelling == .signs ? "→" : "Rt"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .home: "Home"
        case .end: "End"
        case .insert: "Ins"
        case .delete: "Del"
        case .function(let number): "F\(number)"
        case .controlUp: "^" + Key.up.label(spelling)
        case .controlDown: "^" + Key.down.label(spelling)
        }
    }
}

/// What comes in from a terminal.
public enum InputEvent: Sendable, Hashable {
    /// A key was pressed.
    case key(Key)
    /// Text was pasted, as the terminal marked it; at most ``KeyDecoder/pasteScalarsMax`` long.
    case paste(String)
    /// Something was done with the mouse.
    case mouse(MouseEvent)

    /// Whether the mouse did it.
    var isOfMouse: Bool {
        if case .mouse = self { true } else { false }
    }
}

/// What a device reads: bytes, and the key sequences that terminfo knows, already put together.
public enum InputUnit: Sendable, Hashable {
    /// A byte of text or of an unknown sequence.
    case byte(UInt8)
    /// A key that the terminal's description names.
    case key(Key)
    /// A report of the mouse follows.
    case mouseBegin
    /// The terminal says that pasted text follows.
    case pasteBegin
    /// The terminal says that pasted text ends.
    case pasteEnd
}
