/// A value of a request's body, as JSON has it (RFC 8259).
///
/// Numbers stay texts: nothing is rounded on the way.
enum BodyValue: Sendable, Equatable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number as it was written.
    case number(String)
    /// A text.
    case text(String)
    /// Values in order.
    case list([BodyValue])
    /// Members in order, each name once.
    case object([Member])

    /// A member of an object.
    struct Member: Sendable, Equatable {
        var name: String
        var value: BodyValue
    }

    /// The kind of the value, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }

    /// The whole number that it is, `12` as well as `12.0`; nil for anything else.
    var wholeNumber: Int? {
        guard case .number(let text) = self else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 1 || parts[1].allSatisfy({ $0 == "0" }) else { return nil }
        return Int(parts[0])
    }

    /// Reads one value that is all of the bytes.
    ///
    /// Bounds: ``BodyReader/depthMax`` levels; the length is the server's to bound.
    ///
    /// - Throws: ``BodyError``: what is wrong, and at which byte.
    init(_ bytes: [UInt8]) throws(BodyError) {
        var reader = BodyReader(bytes)
        self = try reader.whole()
    }
}

/// Why bytes are no JSON that is taken.
struct BodyError: Error, Sendable, Equatable {
    /// What is wrong.
    enum Reason: Sendable, Equatable {
        /// Something else has to stand there, or nothing.
        case syntax
        /// A text is no UTF-8, or holds half of a surrogate pair.
        case characters
        /// A member stands twice.
        case repeated(String)
        /// Lists and objects are nested too deep.
        case tooDeep
    }

    /// What is wrong.
    var reason: Reason
    /// Where, counted from 0.
    var byte: Int
}

/// Reads JSON strictly: every byte counts, no member stands twice.
struct BodyReader {
    /// How deep lists and objects may be nested.
    static let depthMax = 8

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func whole() throws(BodyError) -> BodyValue {
        let value = try value(depth: 0)
        skipSpace()
        guard place == bytes.count else { throw error(.syntax) }
        return value
    }

    private mutating func value(depth: Int) throws(BodyError) -> BodyValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try list(depth: depth)
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(BodyError) -> BodyValue {
        guard depth < Self.depthMax else { throw error(.tooDeep) }
        place += 1
        var members: [BodyValue.Member] = []
        var names: Set<String> = []
        skipSpace()
        if take("}") { return .object([]) }
        repeat {
            skipSpace()
            let start = place
            guard peek == UInt8(ascii: "\"") else { throw error(.syntax) }
            let name = try text()
            guard names.insert(name).inserted else {
                throw BodyError(reason: .repeated(name), byte: start)
            }
            skipSpace()
            guard take(":") else { throw error(.syntax) }
            members.append(.init(name: name, value: try value(depth: depth + 1)))
            skipSpace()
        } while take(",")
        guard take("}") else { throw error(.syntax) }
        return .object(members)
    }

    private mutating func list(depth: Int) throws(BodyError) -> BodyValue {
        guard depth < Self.depthMax else { throw error(.tooDeep) }
        place += 1
        var values: [BodyValue] = []
        skipSpace()
        if take("]") { return .list([]) }
        repeat {
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw error(.syntax) }
        return .list(values)
    }

    private mutating func word(
        _ word: StaticString,
        _ value: BodyValue
    ) throws(BodyError) -> BodyValue {
        let expected = Array("\(word)".utf8)
        guard bytes[place...].starts(with: expected) else { throw error(.syntax) }
        place += expected.count
        return value
    }

    private mutating func number() throws(BodyError) -> String {
        let start = place
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func digits() throws(BodyError) {
        let start = place
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { place += 1 }
        guard place > start else { throw error(.syntax) }
    }

    // MARK: Texts

    private mutating func text() throws(BodyError) -> String {
        place += 1
        let start = place
        var written: [UInt8] = []
        while let byte = peek {
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: written, as: UTF8.self) else {
                    throw BodyError(reason: .characters, byte: start)
                }
                return text
            case UInt8(ascii: "\\"): written += try escaped()
            case 0..<0x20: throw error(.syntax)
            default: written.append(byte)
            }
        }
        throw error(.syntax)
    }

    private mutating func escaped() throws(BodyError) -> [UInt8] {
        guard let byte = peek else { throw error(.syntax) }
        place += 1
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

    private mutating func codePoint() throws(BodyError) -> [UInt8] {
        let start = place
        var units = [try codeUnit()]
        if UTF16.isLeadSurrogate(units[0]), take("\\"), take("u") { units.append(try codeUnit()) }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw BodyError(reason: .characters, byte: start)
        }
        return Array(text.utf8)
    }

    private mutating func codeUnit() throws(BodyError) -> UInt16 {
        guard bytes.count - place >= 4 else { throw error(.syntax) }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(UnicodeScalar(bytes[place])).hexDigitValue,
                bytes[place] < 0x80
            else { throw error(.syntax) }
            unit = unit << 4 | UInt16(digit)
            place += 1
        }
        return unit
    }

    // MARK: Bytes

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
            place += 1
        }
    }

    private func error(_ reason: BodyError.Reason) -> BodyError {
        BodyError(reason: reason, byte: place)
    }
}
