/// A JSON value that keeps the order and repetition of keys and the spelling of numbers, unlike
/// Foundation's readers.
public indirect enum OrderedJSON: Sendable, Equatable {
    /// An object's members in order.
    case object([Member])
    /// An array.
    case array([OrderedJSON])
    /// A string, unescaped.
    case string(String)
    /// A number as it is spelled.
    case number(String)
    /// `true` or `false`.
    case boolean(Bool)
    /// `null`.
    case null

    /// One member of an object.
    public struct Member: Sendable, Equatable {
        /// The name before the colon.
        public let key: String
        /// The value behind the colon.
        public let value: OrderedJSON

        /// Creates a member.
        public init(_ key: String, _ value: OrderedJSON) {
            self.key = key
            self.value = value
        }
    }

    /// The text is not JSON; the offset counts bytes from zero.
    public struct Malformed: Error, Sendable, Equatable {
        /// The position of the error.
        public let offset: Int
    }

    /// Reads one value that fills the whole text.
    public init(_ bytes: some Sequence<UInt8>) throws(Malformed) {
        var reader = OrderedJSONReader(bytes: Array(bytes))
        self = try reader.document()
    }

    /// The keys of an object in order; nil for anything else.
    public var keys: [String]? {
        if case .object(let members) = self { members.map(\.key) } else { nil }
    }

    /// The elements of an array; nil for anything else.
    public var elements: [OrderedJSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text of a string; nil for anything else.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of a key; nil if it is absent, or this is no object.
    public subscript(key: String) -> OrderedJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

/// Reads the grammar of RFC 8259.
private struct OrderedJSONReader {
    let bytes: [UInt8]
    var offset = 0

    private var malformed: OrderedJSON.Malformed { .init(offset: offset) }
    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(OrderedJSON.Malformed) -> OrderedJSON {
        let value = try value()
        skipSpace()
        guard offset == bytes.count else { throw malformed }
        return value
    }

    private mutating func value() throws(OrderedJSON.Malformed) -> OrderedJSON {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"):
            try take("true")
            return .boolean(true)
        case UInt8(ascii: "f"):
            try take("false")
            return .boolean(false)
        case UInt8(ascii: "n"):
            try take("null")
            return .null
        default: return .number(try number())
        }
    }

    private mutating func members() throws(OrderedJSON.Malformed) -> [OrderedJSON.Member] {
        var members: [OrderedJSON.Member] = []
        try take("{")
        skipSpace()
        while next != UInt8(ascii: "}") {
            if !members.isEmpty { try take(",") }
            skipSpace()
            let key = try string()
            skipSpace()
            try take(":")
            members.append(.init(key, try value()))
            skipSpace()
        }
        try take("}")
        return members
    }

    private mutating func elements() throws(OrderedJSON.Malformed) -> [OrderedJSON] {
        var elements: [OrderedJSON] = []
        try take("[")
        skipSpace()
        while next != UInt8(ascii: "]") {
            if !elements.isEmpty { try take(",") }
            elements.append(try value())
            skipSpace()
        }
        try take("]")
        return elements
    }

    private mutating func number() throws(OrderedJSON.Malformed) -> String {
        let start = offset
        if next == UInt8(ascii: "-") { offset += 1 }
        if next == UInt8(ascii: "0") { offset += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// At least one digit.
    private mutating func digits() throws(OrderedJSON.Malformed) {
        let start = offset
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            offset += 1
        }
        guard offset > start else { throw malformed }
    }

    private mutating func string() throws(OrderedJSON.Malformed) -> String {
        try take("\"")
        if let plain = unescapedString() { return plain }
        var units: [UInt16] = []
        var raw: [UInt8] = []
        var text = ""
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw malformed }
            offset += 1
            if byte == UInt8(ascii: "\\") {
                units.append(try escaped())
                text += String(decoding: raw, as: UTF8.self)
                raw = []
            } else {
                raw.append(byte)
                text += String(decoding: units, as: UTF16.self)
                units = []
            }
        }
        try take("\"")
        return text + String(decoding: units, as: UTF16.self) + String(decoding: raw, as: UTF8.self)
    }

    /// The rest of a string without escapes, the usual case; nil, and nothing read, if it has any.
    private mutating func unescapedString() -> String? {
        var end = offset
        while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\\") {
            if bytes[end] == UInt8(ascii: "\"") {
                defer { offset = end + 1 }
                return String(decoding: bytes[offset..<end], as: UTF8.self)
            }
            end += 1
        }
        return nil
    }

    private mutating func escaped() throws(OrderedJSON.Malformed) -> UInt16 {
        guard let byte = next else { throw malformed }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "u"):
            let digits = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
            guard digits.utf8.count == 4, let unit = UInt16(digits, radix: 16) else {
                throw malformed
            }
            offset += 4
            return unit
        default: throw malformed
        }
    }

    private mutating func take(_ text: String) throws(OrderedJSON.Malformed) {
        var end = offset
        for byte in text.utf8 {
            guard end < bytes.count, bytes[end] == byte else { throw malformed }
            end += 1
        }
        offset = end
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x09 || byte == 0x0d {
            offset += 1
        }
    }
}
