public import JSON

/// An object of a document.
///
/// ``listFields(_:)`` is the one list of its members: JSON, patches in both directions and OpenAPI
/// follow from it. The compiler derives decoding from the stored properties.
/// To add a member, add a stored property and a line in the list.
public protocol DocumentObject: DocumentValue {
    /// Lists the members in the order of the document.
    static func listFields(_ fields: inout some FieldList<Self>)
}

/// A row of a keyed list; patches replace rows one by one.
public protocol KeyedRow: DocumentObject {
    /// The type of the identity.
    associatedtype RowID: Hashable & Sendable

    /// Identifies the row within its list.
    var rowID: RowID { get }

    /// The identity as patches write it.
    static func key(_ id: RowID) -> String

    /// The row that a patch puts in the place of an older one: this row, with what rows of an
    /// earlier version lack.
    func replacing(_ old: Self) -> Self
}

extension KeyedRow {
    /// This row.
    public func replacing(_ old: Self) -> Self { self }
}

extension KeyedRow where RowID == String {
    /// The identity itself.
    public static func key(_ id: String) -> String { id }
}

/// A key path to a member.
public typealias FieldPath<Object, Value> = WritableKeyPath<Object, Value> & Sendable

/// Receives the members of an object, in order.
///
/// Schemas and texts are autoclosures, because encoding does not need them.
public protocol FieldList<Object> {
    /// The object whose members are listed.
    associatedtype Object

    /// Name and description of the object's schema.
    ///
    /// - Parameters:
    ///   - name: the name among OpenAPI's components; nil for a schema inside another one.
    ///   - description: the description.
    ///   - userDescription: the description in a user's own documents, if they differ.
    mutating func describe(
        _ name: String?,
        _ description: @autoclosure () -> String,
        user userDescription: @autoclosure () -> String?
    )

    /// A member; a patch replaces its value as a whole.
    mutating func value<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<Object, Value>,
        _ schema: @autoclosure () -> JSONValue?,
        note: @autoclosure () -> String?
    )

    /// A member that is absent if nil; with `scope` only documents of that scope have it.
    mutating func optionalValue<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<Object, Value?>,
        _ schema: @autoclosure () -> JSONValue?,
        only scope: SchemaScope?,
        note: @autoclosure () -> String?
    )

    /// A list of keyed rows; a patch inserts new rows at `position`.
    mutating func rows<Row: KeyedRow>(
        _ name: String,
        _ path: any FieldPath<Object, [Row]>,
        insert position: DocumentParts.InsertPosition,
        max count: Int?
    )

    /// An object; a patch replaces its members one by one.
    mutating func part<Part: DocumentObject>(_ name: String, _ path: any FieldPath<Object, Part>)

    /// An object that is absent if nil; with `scope` only documents of that scope have it.
    mutating func optionalPart<Part: DocumentObject>(
        _ name: String,
        _ path: any FieldPath<Object, Part?>,
        only scope: SchemaScope?
    )

    /// All members of another object, beside those of this one.
    mutating func inline<Part: DocumentObject>(_ path: any FieldPath<Object, Part>)

    /// A path that patches of an earlier version have; today's documents do not.
    mutating func former<Value: Decodable & Sendable>(
        _ path: String,
        _ set: @escaping @Sendable (inout Object, Value) -> Void
    )
}

extension FieldList {
    /// Only patches that are received have former paths.
    @inline(__always)
    mutating func former<Value: Decodable & Sendable>(
        _ path: String,
        _ set: @escaping @Sendable (inout Object, Value) -> Void
    ) {}

    /// Names and describes a schema among OpenAPI's components.
    @inline(__always)
    mutating func object(
        _ name: String,
        _ description: @autoclosure () -> String,
        user userDescription: @autoclosure () -> String? = nil
    ) {
        describe(name, description(), user: userDescription())
    }

    /// Describes a schema that is part of another one.
    @inline(__always)
    mutating func object(_ description: @autoclosure () -> String) {
        describe(nil, description(), user: nil)
    }

    /// Adds a member; its type decides encoding, null, and the schema unless one is given.
    @inline(__always)
    mutating func add<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<Object, Value>,
        _ schema: @autoclosure () -> JSONValue? = nil,
        note: @autoclosure () -> String? = nil
    ) {
        value(name, path, schema(), note: note())
    }

    /// Adds a member that is absent if nil; its type decides the schema unless one is given.
    @inline(__always)
    mutating func optional<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<Object, Value?>,
        _ schema: @autoclosure () -> JSONValue? = nil,
        only scope: SchemaScope? = nil,
        note: @autoclosure () -> String? = nil
    ) {
        optionalValue(name, path, schema(), only: scope, note: note())
    }

    /// Adds a list of keyed rows without a maximum.
    @inline(__always)
    mutating func rows<Row: KeyedRow>(
        _ name: String,
        _ path: any FieldPath<Object, [Row]>,
        insert position: DocumentParts.InsertPosition
    ) {
        rows(name, path, insert: position, max: nil)
    }

    /// Adds an object that every scope may have.
    @inline(__always)
    mutating func optionalPart<Part: DocumentObject>(
        _ name: String,
        _ path: any FieldPath<Object, Part?>
    ) {
        optionalPart(name, path, only: nil)
    }
}
