public import JSON

extension DocumentObject {
    /// A reference to the component, or the schema itself if it has no name.
    public static func schema(_ scope: SchemaScope) -> JSONValue {
        let fields = SchemaFields<Self>(scope)
        return fields.name.map { .schema($0) } ?? fields.schema
    }

    /// The schema as a component of OpenAPI.
    public static func component(_ scope: SchemaScope = .shared) -> JSONValue.Member {
        let fields = SchemaFields<Self>(scope)
        return JSONValue.Member(fields.name ?? "", fields.schema)
    }

    /// The schemas of the members by name.
    public static func members(_ scope: SchemaScope = .shared) -> [JSONValue.Member] {
        SchemaFields<Self>(scope).members
    }
}

/// Collects the JSON Schema of an object.
private struct SchemaFields<Object: DocumentObject>: FieldList {
    private let scope: SchemaScope
    private(set) var name: String?
    private var description = ""
    private(set) var members: [JSONValue.Member] = []
    private var required: [JSONValue] = []
    /// The schema of the object whose members stand beside these.
    private var inlined: JSONValue?

    init(_ scope: SchemaScope) {
        self.scope = scope
        Object.listFields(&self)
    }

    var schema: JSONValue {
        if let inlined {
            let own: JSONValue = [
                "type": "object", "required": .array(required), "properties": .object(members),
            ]
            return ["allOf": [inlined, own]]
        }
        if required.isEmpty {
            // Any of the members, but at least one.
            return [
                "type": "object", "description": .string(description), "minProperties": 1,
                "properties": .object(members),
            ]
        }
        return [
            "type": "object", "description": .string(description), "required": .array(required),
            "properties": .object(members),
        ]
    }

    mutating func describe(
        _ name: String?,
        _ description: @autoclosure () -> String,
        user userDescription: @autoclosure () -> String?
    ) {
        self.name = name
        self.description = description()
        if scope == .user, let text = userDescription() {
            self.name = name.map { "Personal" + $0 }
            self.description = text
        }
    }

    mutating func value<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<Object, Value>,
        _ schema: @autoclosure () -> JSONValue?,
        note: @autoclosure () -> String?
    ) {
        let isNullable = Value.self is any OptionalValue.Type
        let given = schema().map { isNullable ? $0.orNull : $0 }
        append(name, given ?? Value.schema(scope), note: note())
    }

    mutating func optionalValue<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<Object, Value?>,
        _ schema: @autoclosure () -> JSONValue?,
        only scope: SchemaScope?,
        note: @autoclosure () -> String?
    ) {
        guard scope == nil || scope == self.scope else { return }
        // Documents of a scope always have its members.
        append(
            name,
            schema() ?? Value.schema(self.scope),
            note: note(),
            isRequired: scope != nil
        )
    }

    mutating func rows<Row: KeyedRow>(
        _ name: String,
        _ path: any FieldPath<Object, [Row]>,
        insert position: DocumentParts.InsertPosition,
        max count: Int?
    ) {
        let list = JSONValue.list(Row.schema(scope))
        append(name, count.map { list.with("maxItems", .integer($0)) } ?? list)
    }

    mutating func part<Part: DocumentObject>(_ name: String, _ path: any FieldPath<Object, Part>) {
        append(name, Part.schema(scope))
    }

    mutating func optionalPart<Part: DocumentObject>(
        _ name: String,
        _ path: any FieldPath<Object, Part?>,
        only scope: SchemaScope?
    ) {
        guard scope == nil || scope == self.scope else { return }
        append(name, Part.schema(self.scope), isRequired: false)
    }

    mutating func inline<Part: DocumentObject>(_ path: any FieldPath<Object, Part>) {
        inlined = Part.schema(scope)
    }

    private mutating func append(
        _ name: String,
        _ schema: JSONValue,
        note: String? = nil,
        isRequired: Bool = true
    ) {
        members.append(.init(name, note.map { schema.described($0) } ?? schema))
        if isRequired { required.append(.string(name)) }
    }
}

/// Tells optional values apart.
private protocol OptionalValue {}

extension Optional: OptionalValue {}
