/// Why bytes are not accepted as JSON.
public struct JSONError: Error, Sendable, Equatable {
    /// The fault.
    public enum Reason: Sendable, Equatable {
        /// The bytes break the grammar of RFC 8259.
        case syntax
        /// A string is not UTF-8 or holds an unpaired surrogate.
        case encoding
        /// An object has two members of one name.
        case duplicateName(String)
        /// Arrays and objects are nested too deep.
        case tooDeep
    }

    /// The fault.
    public var reason: Reason
    /// The offset of the byte in question, from 0.
    public var offset: Int

    /// Makes an error.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONValue {
    /// Reads one value that takes up all bytes.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8; the caller bounds the length.
    ///   - depthMax: how deep arrays and objects may be nested.
    /// - Throws: ``JSONError``; duplicate member names are refused.
    public init(parsing bytes: [UInt8], depthMax: Int) throws(JSONError) {
        var reader = JSONReader(bytes, depthMax: depthMax)
        self = try reader.document()
    }
}

/// A strict recursive-descent reader (RFC 8259).
private struct JSONReader {
    private let bytes: [UInt8]
    private let depthMax: Int
    private var position = 0

    init(_ bytes: [UInt8], depthMax: Int) {
        self.bytes = bytes
        self.depthMax = depthMax
    }

    mutating func document() throws(JSONError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw error(.syntax) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < depthMax else { throw error(.tooDeep) }
        position += 1
        var members: [JSONValue.Member] = []
        // As bytes: strings are equal in Swift that differ in how they spell an accent.
        var names: Set<[UInt8]> = []
        skipSpace()
        if skip("}") { return .object([]) }
        repeat {
            skipSpace()
            let start = position
            guard peek == UInt8(ascii: "\"") else { throw error(.syntax) }
            let name = try string()
            guard names.insert(Array(name.utf8)).inserted else {
                throw JSONError(.duplicateName(name), at: start)
            }
            skipSpace()
            guard skip(":") else { throw error(.syntax) }
            members.append(.init(name, try value(depth: depth + 1)))
            skipSpace()
        } while skip(",")
        guard skip("}") else { throw error(.syntax) }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < depthMax else { throw error(.tooDeep) }
        position += 1
        var values: [JSONValue] = []
        skipSpace()
        if skip("]") { return .array([]) }
        repeat {
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while skip(",")
        guard skip("]") else { throw error(.syntax) }
        return .array(values)
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw error(.syntax) }
        position += word.utf8.count
        return value
    }

    private mutating func number() throws(JSONError) -> String {
        let start = position
        _ = skip("-")
        if !skip("0") { try digits() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            position += 1
        }
        guard position > start else { throw error(.syntax) }
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        var text: [UInt8] = []
        // Stretches without escapes are copied at once: recordings hold long strings.
        var copied = position
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                text += bytes[copied..<position]
                position += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw JSONError(.encoding, at: start)
                }
                return string
            case UInt8(ascii: "\\"):
                text += bytes[copied..<position]
                position += 1
                text += try escape()
                copied = position
            case 0..<0x20: throw error(.syntax)
            default: position += 1
            }
        }
        throw error(.syntax)
    }

    private mutating func escape() throws(JSONError) -> [UInt8] {
        guard let byte = peek else { throw error(.syntax) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try codePoint()
        default: throw error(.syntax)
        }
    }

    private mutating func codePoint() throws(JSONError) -> [UInt8] {
        let start = position
        var units = [try codeUnit()]
        if UTF16.isLeadSurrogate(units[0]), skip("\\"), skip("u") { units.append(try codeUnit()) }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw JSONError(.encoding, at: start)
        }
        return Array(text.utf8)
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        guard bytes.count - position >= 4 else { throw error(.syntax) }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(UnicodeScalar(bytes[position])).hexDigitValue,
                bytes[position] < 0x80
            else { throw error(.syntax) }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
            position += 1
        }
    }

    private func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason, at: position)
    }
}
