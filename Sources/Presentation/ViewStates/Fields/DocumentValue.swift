public import Domain
public import JSON

/// A value of a document: how it is encoded, and its OpenAPI schema.
public protocol DocumentValue: Sendable, Equatable, Decodable {
    /// Writes the value as JSON.
    func write(to json: inout JSONWriter)

    /// The schema of the value in shared documents, or in a user's own.
    static func schema(_ scope: SchemaScope) -> JSONValue
}

/// The documents that a schema describes: public ones or a user's own.
public enum SchemaScope: Sendable {
    /// Documents that are the same for every caller.
    case shared
    /// A user's own documents, whose lists mark favorites.
    case user
}

extension JSONWriter {
    /// Writes a member of an object.
    mutating func member(_ name: String, _ value: some DocumentValue) {
        key(name)
        value.write(to: &self)
    }
}

extension DocumentValue where Self: RawRepresentable<String> & CaseIterable {
    /// Writes the raw value as a string.
    public func write(to json: inout JSONWriter) { json.string(rawValue) }

    /// One of the raw values.
    public static func schema(_ scope: SchemaScope) -> JSONValue { .values(of: Self.self) }
}

extension String: DocumentValue {
    /// Writes the string.
    @inlinable
    public func write(to json: inout JSONWriter) { json.string(self) }

    /// Any text.
    public static func schema(_ scope: SchemaScope) -> JSONValue { .text }
}

extension Bool: DocumentValue {
    /// Writes `true` or `false`.
    @inlinable
    public func write(to json: inout JSONWriter) { json.boolean(self) }

    /// A boolean.
    public static func schema(_ scope: SchemaScope) -> JSONValue { .flag }
}

extension Int: DocumentValue {
    /// Writes the number.
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(self) }

    /// An integer from 0.
    public static func schema(_ scope: SchemaScope) -> JSONValue { .count }
}

extension FixedDecimal: DocumentValue {
    /// Writes the canonical text as a string.
    public func write(to json: inout JSONWriter) {
        json.plainString { appendText(to: &$0, fractionDigitsMin: 0) }
    }

    /// The component `Decimal`.
    public static func schema(_ scope: SchemaScope) -> JSONValue { .decimal }

    /// Reads a decimal from a string; JSON numbers are refused, since many readers round them.
    ///
    /// - Throws: `DecodingError` if the text is not a decimal.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a decimal of at most 18 fraction digits"
            )
        }
    }
}

extension Timestamp: DocumentValue {
    /// Writes ISO 8601 with microseconds and `+09:00`.
    public func write(to json: inout JSONWriter) {
        json.plainString { TimeText.appendISO(self, to: &$0) }
    }

    /// The component `Time`.
    public static func schema(_ scope: SchemaScope) -> JSONValue { .time }

    /// Reads ISO 8601 with microseconds and `+09:00`.
    ///
    /// - Throws: `DecodingError` for any other form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = TimeText.timestamp(iso: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a time like 2026-11-20T21:03:11.100000+09:00"
            )
        }
        self = time
    }
}

extension Optional: DocumentValue where Wrapped: DocumentValue {
    /// Writes the value, or `null` if it is unknown.
    @inlinable
    public func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.null() }
    }

    /// The schema of the value, or null.
    public static func schema(_ scope: SchemaScope) -> JSONValue { Wrapped.schema(scope).orNull }
}

extension Array: DocumentValue where Element: DocumentValue {
    /// Writes the elements in order.
    @inlinable
    public func write(to json: inout JSONWriter) {
        json.array(self) { $1.write(to: &$0) }
    }

    /// A list of the elements' schema.
    public static func schema(_ scope: SchemaScope) -> JSONValue { .list(Element.schema(scope)) }
}

extension Dictionary: DocumentValue where Key == String, Value: DocumentValue {
    /// Writes members whose names are numbers in ascending order, then the others by name.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            for (name, value) in inDocumentOrder {
                json.key(name)
                value.write(to: &json)
            }
        }
    }

    /// The members in the order in which they are written.
    var inDocumentOrder: [(key: String, value: Value)] {
        sorted { (Int($0.key) ?? .max, $0.key) < (Int($1.key) ?? .max, $1.key) }
    }

    /// An object with any names.
    public static func schema(_ scope: SchemaScope) -> JSONValue {
        ["type": "object", "additionalProperties": Value.schema(scope)]
    }
}
