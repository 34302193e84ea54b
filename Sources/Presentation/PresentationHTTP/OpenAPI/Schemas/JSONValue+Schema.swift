/// Words to write schemas with: those of JSON Schema 2020-12, the dialect of OpenAPI 3.1.
extension JSONValue {
    /// A schema by its name among the document's components.
    static func schema(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/" + name)]
    }

    /// An object that has all of these keys; consumers expect more of them in later releases, so
    /// that others are not forbidden.
    static func record(
        _ description: String,
        _ members: KeyValuePairs<String, JSONValue>
    ) -> JSONValue {
        record(description, members.map { Member(key: $0.key, value: $0.value) })
    }

    /// The same of members that are put together elsewhere.
    static func record(_ description: String, _ members: [Member]) -> JSONValue {
        [
            "type": "object", "description": .string(description),
            "required": .array(members.map { .string($0.key) }), "properties": .object(members),
        ]
    }

    /// An object as a request's body: any of these keys, those that are required, and no others.
    static func input(
        _ description: String,
        required: [String],
        _ members: KeyValuePairs<String, JSONValue>
    ) -> JSONValue {
        [
            "type": "object", "description": .string(description),
            "required": .array(required.map { .string($0) }), "properties": .object(members),
            "additionalProperties": false,
        ]
    }

    /// An array.
    static func list(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

    /// One of these words.
    static func words(_ words: [String]) -> JSONValue {
        ["type": "string", "enum": .array(words.map { .string($0) })]
    }

    /// One of the words of a fixed set.
    static func words<Word: RawRepresentable<String> & CaseIterable>(
        _ type: Word.Type
    ) -> JSONValue {
        words(type.allCases.map(\.rawValue))
    }

    /// A whole number in a range.
    static func integer(in range: ClosedRange<Int>) -> JSONValue {
        integer(from: range.lowerBound).with("maximum", .integer(range.upperBound))
    }

    /// A whole number from a bound on.
    static func integer(from minimum: Int) -> JSONValue {
        ["type": "integer", "minimum": .integer(minimum)]
    }

    /// A text of a form.
    static func text(pattern: String) -> JSONValue {
        ["type": "string", "pattern": .string(pattern)]
    }

    /// A text that is always the same.
    static func constant(_ text: String) -> JSONValue {
        ["type": "string", "const": .string(text)]
    }

    /// Any text.
    static let text: JSONValue = ["type": "string"]
    /// `true` or `false`.
    static let flag: JSONValue = ["type": "boolean"]
    /// How many there are of something.
    static let count = integer(from: 0)
    /// An exact decimal.
    static let decimal = schema("Decimal")
    /// A moment.
    static let time = schema("Time")

    /// This, or `null`: what is not known.
    var orNull: JSONValue {
        guard case .string(let type)? = self["type"] else {
            return ["oneOf": [self, ["type": "null"]]]
        }
        let nullable = with("type", [.string(type), "null"])
        guard case .array(let words)? = self["enum"] else { return nullable }
        return nullable.with("enum", .array(words + [.null]))
    }

    /// This with a sentence on what it means.
    func saying(_ description: String) -> JSONValue {
        with("description", .string(description))
    }
}
