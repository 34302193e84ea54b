/// Recognises what a terminal answers among what is typed, and reads its background from it.
///
/// A pure state machine: what belongs to an answer is taken out, everything else stays as it came.
/// An answer may come in pieces and at any time after the question; what is held for that is
/// bounded, and nothing is held once the last answer is there.
struct TerminalReplies {
    /// How long somebody waits for an answer.
    struct TransactionTimeouts: Sendable {
        /// At the first picture: nobody notices so little, and nearly every terminal has answered
        /// by then.
        var first: Duration = .milliseconds(100)
        /// After the question, at the end of the program, since the answer would be typed into the
        /// shell: as long as it takes around the world.
        var late: Duration = .seconds(1)
    }

    /// Asks for the background (OSC 11; xterm, "Operating System Commands", seen 2026-11), then for
    /// the kind of terminal (DA1), which all answer, and in order.
    static let questions = "\u{1B}]11;?\u{1B}\\\u{1B}[c"
    /// The longest answer that is waited for.
    private static let bytesMax = 64

    /// Whether the last answer is still to come.
    private(set) var isAwaited = false
    /// What the terminal answered; nil as long as it has not.
    private(set) var background: TerminalBackground?
    /// The beginning of what may be an answer.
    private var held: [UInt8] = []

    /// The questions are asked now.
    mutating func expect() { isAwaited = true }

    /// Takes what was read at one moment.
    ///
    /// - Returns: what of it, and of what was held before, is no answer.
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
        // Esc, and Esc with a bracket, are what somebody typed: answers come in larger pieces.
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

    /// What some bytes are.
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

        /// A part of a colour; all its digits set are the most there is.
        private static func part(_ digits: Substring) -> UInt16? {
            guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit),
                let value = UInt32(digits, radix: 16)
            else { return nil }
            let most = UInt32(1) << (4 * UInt32(digits.utf8.count)) - 1
            return UInt16(value * UInt32(UInt16.max) / most)
        }
    }
}
