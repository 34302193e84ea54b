public import JSON

extension DocumentObject {
    /// Writes the object.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        writeMembers(to: &json)
        json.endObject()
    }

    /// Writes the members into an open object.
    func writeMembers(to json: inout JSONWriter) {
        // Swapped, not copied: a second reference to the buffer would copy it at the next write.
        var fields = JSONFields(object: self)
        swap(&fields.json, &json)
        Self.listFields(&fields)
        swap(&fields.json, &json)
    }
}

/// Encodes the members of an object.
private struct JSONFields<Object: DocumentObject>: FieldList {
    let object: Object
    var json = JSONWriter()

    init(object: Object) { self.object = object }

    @inline(__always)
    mutating func describe(
        _ name: String?,
        _ description: @autoclosure () -> String,
        user userDescription: @autoclosure () -> String?
    ) {}

    @inline(__always)
    mutating func value<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<Object, Value>,
        _ schema: @autoclosure () -> JSONValue?,
        note: @autoclosure () -> String?
    ) {
        json.key(name)
        object[keyPath: path].write(to: &json)
    }

    @inline(__always)
    mutating func optionalValue<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<Object, Value?>,
        _ schema: @autoclosure () -> JSONValue?,
        only scope: SchemaScope?,
        note: @autoclosure () -> String?
    ) {
        guard let value = object[keyPath: path] else { return }
        json.key(name)
        value.write(to: &json)
    }

    @inline(__always)
    mutating func rows<Row: KeyedRow>(
        _ name: String,
        _ path: any FieldPath<Object, [Row]>,
        insert position: DocumentParts.InsertPosition,
        max count: Int?
    ) {
        json.key(name)
        object[keyPath: path].write(to: &json)
    }

    @inline(__always)
    mutating func part<Part: DocumentObject>(_ name: String, _ path: any FieldPath<Object, Part>) {
        json.key(name)
        object[keyPath: path].write(to: &json)
    }

    @inline(__always)
    mutating func optionalPart<Part: DocumentObject>(
        _ name: String,
        _ path: any FieldPath<Object, Part?>,
        only scope: SchemaScope?
    ) {
        guard let part = object[keyPath: path] else { return }
        json.key(name)
        part.write(to: &json)
    }

    @inline(__always)
    mutating func inline<Part: DocumentObject>(_ path: any FieldPath<Object, Part>) {
        object[keyPath: path].writeMembers(to: &json)
    }
}
