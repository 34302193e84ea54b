import Domain
public import ViewStates

/// One key as reported by a terminal.
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

    /// The highest function key that terminals distinguish from Shift combinations.
    public static let functionMax = 12

    /// How arrow keys are labeled.
    enum Spelling: Sendable, Hashable {
        /// ↑ and its like.
        case signs
        /// Two-letter words for ASCII terminals: ^ already stands for Ctrl, and v is a key.
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

/// An input event of a terminal.
public enum InputEvent: Sendable, Hashable {
    /// A key was pressed.
    case key(Key)
    /// Bracketed paste; at most ``KeyDecoder/pasteScalarsMax`` scalars.
    case paste(String)
    /// Something was done with the mouse.
    case mouse(MouseEvent)

    /// Whether the mouse did it.
    var isMouse: Bool {
        if case .mouse = self { true } else { false }
    }
}

/// Input of a device: bytes and key sequences that terminfo recognized.
public enum InputUnit: Sendable, Hashable {
    /// A byte of text or of an unknown sequence.
    case byte(UInt8)
    /// A key that the terminal's description names.
    case key(Key)
    /// A report of the mouse follows.
    case mouseBegin
    /// Start of a bracketed paste.
    case pasteBegin
    /// End of a bracketed paste.
    case pasteEnd
}

/// Key names in the configuration.
///
///     key       = character | named | "Ctrl+" letter
///     character = one visible character, as typed: f, F, ?, ㄹ
///     named     = "Enter" | "Esc" | "Tab" | "Shift+Tab" | "Backspace" | "Space" | "Up"
///               | "Down" | "Left" | "Right" | "Ctrl+Up" | "Ctrl+Down" | "PageUp"
///               | "PageDown" | "Home" | "End" | "Insert" | "Delete" | "F1" … "F12"
///     letter    = "A" … "Z" except H, I, J and M, which terminals send as other keys
///
/// Names are case-insensitive except characters.
extension Key {
    /// Why a text names no key.
    public enum NameError: Error, Sendable, Hashable {
        /// Unknown name; the most similar names.
        case unknown(nearest: [String])
        /// Terminals send the same code for this key.
        case same(as: Key)
    }

    /// Parses a key name.
    ///
    /// - Throws: the reason why the name is invalid.
    public init(name: String) throws(NameError) {
        if let key = Self.character(of: name) {
            self = key
            return
        }
        let lowered = name.lowercased()
        if let key = Self.named.first(where: { $0.name.lowercased() == lowered }) {
            self = key
            return
        }
        switch lowered {
        case "ctrl+h": throw .same(as: .backspace)
        case "ctrl+i": throw .same(as: .tab)
        case "ctrl+j", "ctrl+m": throw .same(as: .enter)
        default:
            throw .unknown(nearest: SpellingSuggestions.of(name, among: Self.named.map(\.name)))
        }
    }

    /// The key's name in the configuration.
    public var name: String {
        switch self {
        case .character(" "): "Space"
        case .character(let scalar): String(scalar)
        case .control(let scalar): "Ctrl+" + String(scalar).uppercased()
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "Shift+Tab"
        case .backspace: "Backspace"
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .pageUp: "PageUp"
        case .pageDown: "PageDown"
        case .home: "Home"
        case .end: "End"
        case .insert: "Insert"
        case .delete: "Delete"
        case .function(let number): "F\(number)"
        case .controlUp: "Ctrl+Up"
        case .controlDown: "Ctrl+Down"
        }
    }

    /// All keys with names other than characters.
    public static let named: [Key] =
        [
            .enter, .escape, .tab, .backTab, .backspace, .character(" "), .up, .down, .left, .right,
            .controlUp, .controlDown, .pageUp, .pageDown, .home, .end, .insert, .delete,
        ] + (1...functionMax).map { .function($0) }
        + (UInt8(ascii: "a")...UInt8(ascii: "z")).map { Unicode.Scalar($0) }
        .filter { !["h", "i", "j", "m"].contains($0) }.map { .control($0) }

    /// The key of a single visible character; combining marks, spaces and controls have none.
    private static func character(of name: String) -> Key? {
        let scalars = name.unicodeScalars
        guard scalars.count == 1, let scalar = scalars.first, !scalar.properties.isWhitespace else {
            return nil
        }
        return switch ScalarWidth.of(scalar) {
        case .narrow, .wide: .character(scalar)
        case .mark, .invisible, .replaced: nil
        }
    }

    /// Whether the key types text in a field.
    var isText: Bool {
        if case .character = self { true } else { false }
    }

    /// Keys with fixed meanings that cannot be rebound.
    public static let reserved: [(key: Key, meaning: LocalizedText)] = [
        (.control("c"), LocalizedText(ko: "종료", en: "quit")),
        (.control("z"), LocalizedText(ko: "일시 중지(셸로)", en: "suspend to the shell")),
        (.control("l"), LocalizedText(ko: "화면 다시 그리기", en: "redraw the screen")),
    ]
}
