/// Separates the terminal's replies from typed input and reads the background color from them.
///
/// A pure state machine. A reply may arrive in pieces and at any time after the query. The buffer
/// is bounded, and empty once the last reply has arrived.
struct TerminalReplies {
    /// Time limits for replies.
    struct Timeouts: Sendable {
        /// Before the first frame: too short to notice, long enough for nearly every terminal.
        var first: Duration = .milliseconds(100)
        /// Since the query, when the program ends: a later reply would be typed into the shell.
        ///
        /// Covers a round trip around the world.
        var late: Duration = .seconds(1)
    }

    /// Queries the background (OSC 11; xterm, "Operating System Commands", seen 2026-11), then the
    /// device attributes (DA1), which every terminal answers, in order.
    static let questions = "\u{1B}]11;?\u{1B}\\\u{1B}[c"
    /// The longest answer that is waited for.
    private static let bytesMax = 64

    /// Whether the last answer is still to come.
    private(set) var isAwaited = false
    /// The background from the reply; nil before it arrives.
    private(set) var background: TerminalBackground?
    /// The beginning of what may be an answer.
    private var held: [UInt8] = []

    /// Starts to expect replies.
    mutating func expect() { isAwaited = true }

    /// Removes replies from one batch of input.
    ///
    /// - Returns: the input without replies, including bytes that turned out not to be one.
    mutating func taken(from units: [InputUnit]) -> [InputUnit] {
        guard isAwaited || !held.isEmpty else { return units }
        var rest: [InputUnit] = []
        for unit in units {
            guard case .byte(let byte) = unit else {
                release(into: &rest)
                rest.append(unit)
                continue
            }
            apply(byte, into: &rest)
        }
        // Esc, and Esc with a bracket, are typed keys: replies arrive in larger pieces.
        if held.count <= 2 { release(into: &rest) }
        return rest
    }

    private mutating func apply(_ byte: UInt8, into rest: inout [InputUnit]) {
        guard isAwaited else {
            rest.append(.byte(byte))
            return
        }
        held.append(byte)
        switch Match(held) {
        case .none:
            // The byte that fits no longer may be the first of an answer.
            held.removeLast()
            release(into: &rest)
            if byte == 0x1B { held = [byte] } else { rest.append(.byte(byte)) }
        case .partial where held.count >= Self.bytesMax: release(into: &rest)
        case .partial: break
        case .background(let told):
            background = told ?? background
            held = []
        case .kind:
            held = []
            isAwaited = false
        }
    }

    private mutating func release(into rest: inout [InputUnit]) {
        rest += held.map { .byte($0) }
        held = []
    }

    /// How a byte sequence relates to the expected replies.
    private enum Match {
        case none, partial, kind
        case background(TerminalBackground?)

        init(_ bytes: [UInt8]) {
            let color = Array("\u{1B}]11;".utf8)
            let kind = Array("\u{1B}[?".utf8)
            if bytes.starts(with: color) {
                self = Self.colorMatch(bytes.dropFirst(color.count))
            } else if bytes.starts(with: kind) {
                self = Self.kindMatch(bytes.dropFirst(kind.count))
            } else {
                self = color.starts(with: bytes) || kind.starts(with: bytes) ? .partial : .none
            }
        }

        private static func colorMatch(_ bytes: ArraySlice<UInt8>) -> Match {
            if bytes.last == 0x07 { return .background(ground(bytes.dropLast())) }
            if bytes.suffix(2) == [0x1B, UInt8(ascii: "\\")] {
                return .background(ground(bytes.dropLast(2)))
            }
            let isText = bytes.dropLast().allSatisfy { (0x20...0x7E).contains($0) }
            return isText && bytes.last.map { $0 == 0x1B || (0x20...0x7E).contains($0) } ?? true
                ? .partial : .none
        }

        private static func kindMatch(_ bytes: ArraySlice<UInt8>) -> Match {
            let isNumbers = bytes.dropLast().allSatisfy(isOfNumber)
            guard isNumbers, let last = bytes.last else { return isNumbers ? .partial : .none }
            if last == UInt8(ascii: "c") { return .kind }
            return isOfNumber(last) ? .partial : .none
        }

        private static func isOfNumber(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ";")
        }

        /// Reads `rgb:RRRR/GGGG/BBBB`, with one to four hexadecimal digits each, and `rgba:` with
        /// a fourth part; nil for anything else.
        private static func ground(_ bytes: ArraySlice<UInt8>) -> TerminalBackground? {
            let text = String(decoding: bytes, as: UTF8.self)
            guard let colon = text.firstIndex(of: ":"),
                ["rgb", "rgba"].contains(text[..<colon])
            else { return nil }
            let parts = text[text.index(after: colon)...]
                .split(separator: "/", omittingEmptySubsequences: false)
                .map(part)
            guard (3...4).contains(parts.count), let red = parts[0], let green = parts[1],
                let blue = parts[2]
            else { return nil }
            return TerminalBackground(red: red, green: green, blue: blue)
        }

        /// One color component, scaled so that all digits set give the maximum.
        private static func part(_ digits: Substring) -> UInt16? {
            guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit),
                let value = UInt32(digits, radix: 16)
            else { return nil }
            let most = UInt32(1) << (4 * UInt32(digits.utf8.count)) - 1
            return UInt16(value * UInt32(UInt16.max) / most)
        }
    }
}
