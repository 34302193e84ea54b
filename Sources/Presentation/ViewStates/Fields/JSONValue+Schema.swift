public import JSON

/// JSON Schema 2020-12, the dialect of OpenAPI 3.1.
extension JSONValue {
    /// A reference to a component.
    public static func schema(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/" + name)]
    }

    /// An object that has all these members.
    ///
    /// Later releases may add members, so others are allowed.
    public static func record(_ description: String, _ members: [Member]) -> JSONValue {
        [
            "type": "object", "description": .string(description),
            "required": .array(members.map { .string($0.name) }), "properties": .object(members),
        ]
    }

    /// An array.
    public static func list(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

    /// An array with a number of elements in a range.
    public static func list(_ items: JSONValue, count: ClosedRange<Int>) -> JSONValue {
        list(items).with("minItems", .integer(count.lowerBound))
            .with("maxItems", .integer(count.upperBound))
    }

    /// An array of values of a type.
    public static func list<Element: DocumentValue>(
        of type: Element.Type,
        max count: Int
    ) -> JSONValue {
        list(type.schema(.shared)).with("maxItems", .integer(count))
    }

    /// One of these strings.
    public static func values(_ values: [String]) -> JSONValue {
        ["type": "string", "enum": .array(values.map { .string($0) })]
    }

    /// One of these integers.
    public static func values(_ values: [Int]) -> JSONValue {
        ["type": "integer", "enum": .array(values.map { .integer($0) })]
    }

    /// One of the raw values of a type.
    public static func values<Value: RawRepresentable<String> & CaseIterable>(
        of type: Value.Type
    ) -> JSONValue {
        values(type.allCases.map(\.rawValue))
    }

    /// An integer in a range.
    public static func integer(in range: ClosedRange<Int>) -> JSONValue {
        integer(from: range.lowerBound).with("maximum", .integer(range.upperBound))
    }

    /// An integer with a minimum.
    public static func integer(from minimum: Int) -> JSONValue {
        ["type": "integer", "minimum": .integer(minimum)]
    }

    /// A string that matches a regular expression.
    public static func text(pattern: String) -> JSONValue {
        ["type": "string", "pattern": .string(pattern)]
    }

    /// A fixed string.
    public static func constant(_ text: String) -> JSONValue {
        ["type": "string", "const": .string(text)]
    }

    /// A fixed integer.
    public static func constant(_ number: Int) -> JSONValue {
        ["type": "integer", "const": .integer(number)]
    }

    /// Any string.
    public static let text: JSONValue = ["type": "string"]
    /// A boolean.
    public static let flag: JSONValue = ["type": "boolean"]
    /// A count, from 0.
    public static let count = integer(from: 0)
    /// An exact decimal.
    public static let decimal = schema("Decimal")
    /// A time.
    public static let time = schema("Time")
    /// A market by its canonical name.
    public static let market = schema("Market")
    /// A coin by its code.
    public static let asset = schema("Asset")

    /// The schema, or null.
    public var orNull: JSONValue {
        guard case .string(let type)? = self["type"] else {
            return ["oneOf": [self, ["type": "null"]]]
        }
        let nullable = with("type", [.string(type), "null"])
        guard case .array(let values)? = self["enum"] else { return nullable }
        return nullable.with("enum", .array(values + [.null]))
    }

    /// The schema with a description.
    public func described(_ description: String) -> JSONValue {
        with("description", .string(description))
    }
}
