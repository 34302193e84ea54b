import JSON

extension StreamedState {
    /// Divides the state into parts; equal parts of `old` are reused.
    ///
    /// - Parameters:
    ///   - parts: receives the parts in the order of the document.
    ///   - old: the state whose parts the writer holds; nil without one.
    public func write(to parts: inout PartWriter, after old: Self?) {
        parts.members(of: self, after: old)
    }
}

extension PartWriter {
    /// Divides an object by its members.
    mutating func members<Object: DocumentObject>(
        of object: Object,
        after old: Object?,
        includesRows: Bool = true
    ) {
        // Swapped, not copied: a second reference to the parts would copy them at the next write.
        var fields = PartFields(object: object, old: old, includesRows: includesRows)
        swap(&fields.writer, &self)
        Object.listFields(&fields)
        swap(&fields.writer, &self)
    }
}

/// Divides an object into the parts that patches replace.
private struct PartFields<Object: DocumentObject>: FieldList {
    let object: Object
    let old: Object?
    let includesRows: Bool
    var writer = PartWriter(after: nil)

    init(object: Object, old: Object?, includesRows: Bool) {
        self.object = object
        self.old = old
        self.includesRows = includesRows
    }

    mutating func describe(
        _ name: String?,
        _ description: @autoclosure () -> String,
        user userDescription: @autoclosure () -> String?
    ) {}

    mutating func value<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<Object, Value>,
        _ schema: @autoclosure () -> JSONValue?,
        note: @autoclosure () -> String?
    ) {
        writer.value(name, object[keyPath: path], old?[keyPath: path])
    }

    mutating func optionalValue<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<Object, Value?>,
        _ schema: @autoclosure () -> JSONValue?,
        only scope: SchemaScope?,
        note: @autoclosure () -> String?
    ) {
        guard let value = object[keyPath: path] else { return }
        writer.value(name, value, old.flatMap { $0[keyPath: path] })
    }

    mutating func rows<Row: KeyedRow>(
        _ name: String,
        _ path: any FieldPath<Object, [Row]>,
        insert position: DocumentParts.InsertPosition,
        max count: Int?
    ) {
        guard includesRows else { return }
        writer.rows(name, object[keyPath: path], old?[keyPath: path], insert: position)
    }

    mutating func part<Part: DocumentObject>(_ name: String, _ path: any FieldPath<Object, Part>) {
        writer.part(name, object[keyPath: path], old?[keyPath: path]) {
            $0.members(of: $1, after: $2)
        }
    }

    mutating func optionalPart<Part: DocumentObject>(
        _ name: String,
        _ path: any FieldPath<Object, Part?>,
        only scope: SchemaScope?
    ) {
        guard let part = object[keyPath: path] else { return }
        writer.part(name, part, old.flatMap { $0[keyPath: path] }) {
            $0.members(of: $1, after: $2)
        }
    }

    mutating func inline<Part: DocumentObject>(_ path: any FieldPath<Object, Part>) {
        writer.members(of: object[keyPath: path], after: old?[keyPath: path])
    }
}
