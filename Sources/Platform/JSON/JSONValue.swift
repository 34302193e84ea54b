/// A JSON value; objects keep the order of their members.
///
/// Numbers stay text, so nothing is rounded.
public enum JSONValue: Sendable, Equatable {
    /// A member of an object.
    public struct Member: Sendable, Equatable {
        /// The member's name.
        public var name: String
        /// The member's value.
        public var value: JSONValue

        /// Makes a member.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number as written.
    case number(String)
    /// A string.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Members in order.
    case object([Member])
    /// Encoded JSON, inserted unchanged; the reader never returns it.
    case encoded([UInt8])

    /// An integer.
    public static func integer(_ value: Int) -> JSONValue { .number(String(value)) }

    /// The integer, of `12.0` too; nil for any other value.
    public var wholeNumber: Int? {
        guard case .number(let text) = self else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 1 || parts[1].allSatisfy({ $0 == "0" }) else { return nil }
        return Int(parts[0])
    }

    /// The string; nil for any other value.
    public var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of a member; nil without that member, or if this is not an object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Returns the object with a member added, or replaced where it stands.
    public func with(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].value = value
        } else {
            members.append(Member(name, value))
        }
        return .object(members)
    }

    /// The value as UTF-8 without white space.
    public var bytes: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    /// Writes the value.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .boolean(let flag): json.boolean(flag)
        case .number(let text): json.encoded(Array(text.utf8))
        case .string(let text): json.string(text)
        case .array(let elements): json.array(elements) { $1.write(to: &$0) }
        case .object(let members):
            json.object { json in
                for member in members {
                    // Any text can be a name, so the value's escaper writes it.
                    json.name(member.name)
                    member.value.write(to: &json)
                }
            }
        case .encoded(let bytes): json.encoded(bytes)
        }
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral
{
    /// `["type": "string"]`, members in that order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }

    /// `["a", 1]`.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// `"text"`.
    public init(stringLiteral value: String) { self = .string(value) }

    /// `1`.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// `true`.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// `nil`, which is `null`.
    public init(nilLiteral: ()) { self = .null }
}
