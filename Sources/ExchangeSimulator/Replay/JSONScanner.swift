/// Walks over one JSON text and reads what is asked for.
///
/// Recordings are large and flat: a decoder would build a tree of every line to take two texts out.
/// Skipped values are checked only for brackets and quotes.
struct JSONScanner {
    private let bytes: [UInt8]
    private var position = 0

    /// The deepest nesting that is passed over.
    private static let depthMax = 128

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether only blanks are left.
    var isAtEnd: Bool {
        bytes[position...].allSatisfy(Self.isBlank)
    }

    /// Walks over the members of an object.
    ///
    /// - Parameter member: is given each key and must move behind its value; false ends the walk.
    /// - Returns: whether there was a whole object and no walk was ended.
    mutating func readObject(_ member: (String, inout JSONScanner) -> Bool) -> Bool {
        guard take("{") else { return false }
        if take("}") { return true }
        repeat {
            guard let key = readString(), take(":") else { return false }
            guard member(String(decoding: key, as: UTF8.self), &self) else { return false }
        } while take(",")
        return take("}")
    }

    /// Reads a string, its escapes undone; nil, without a step, if there is none.
    mutating func readString() -> [UInt8]? {
        let start = position
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        var runStart = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                text += bytes[runStart..<position]
                position += 1
                return text
            case UInt8(ascii: "\\"):
                text += bytes[runStart..<position]
                guard appendEscape(to: &text) else {
                    position = start
                    return nil
                }
                runStart = position
            default: position += 1
            }
        }
        position = start
        return nil
    }

    /// Reads an integer of at most 18 digits; nil, without a step, if there is none.
    mutating func readInteger() -> Int? {
        skipBlanks()
        let start = position
        let sign = take("-") ? -1 : 1
        let digits = bytes[position...].prefix {
            $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
        }
        guard (1...18).contains(digits.count) else {
            position = start
            return nil
        }
        position += digits.count
        return sign * digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Moves behind a value of any kind; false if there is none.
    mutating func skipValue() -> Bool {
        var depth = 0
        repeat {
            skipBlanks()
            guard position < bytes.count, depth <= Self.depthMax else { return false }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard readString() != nil else { return false }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 { return false }
                position += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                if depth == 0 { return false }
                position += 1
            default: skipWord()
            }
        } while depth > 0
        return true
    }

    /// Moves behind a number, `true`, `false` or `null`.
    private mutating func skipWord() {
        let stops = Array(",:{}[]\" \t\r\n".utf8)
        repeat { position += 1 } while position < bytes.count && !stops.contains(bytes[position])
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\n")
    }

    // MARK: Escapes

    private mutating func appendEscape(to text: inout [UInt8]) -> Bool {
        position += 1
        guard position < bytes.count else { return false }
        let kind = bytes[position]
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "u"):
            guard let scalar = readScalar() else { return false }
            text += Array(String(Character(scalar)).utf8)
        default: return false
        }
        return true
    }

    /// The scalar behind `\u`, of a surrogate pair too; a lone surrogate is the replacement.
    private mutating func readScalar() -> Unicode.Scalar? {
        guard let first = readHex() else { return nil }
        guard (0xd800..<0xdc00).contains(first) else {
            return Unicode.Scalar(first) ?? "\u{fffd}"
        }
        let start = position
        if bytes[position...].starts(with: Array("\\u".utf8)) {
            position += 2
            if let second = readHex(), (0xdc00..<0xe000).contains(second) {
                return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
            }
            position = start
        }
        return "\u{fffd}"
    }

    private mutating func readHex() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        let digits = String(decoding: bytes[position..<(position + 4)], as: UTF8.self)
        guard digits.utf8.allSatisfy(Self.isHexDigit), let value = UInt32(digits, radix: 16) else {
            return nil
        }
        position += 4
        return value
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
