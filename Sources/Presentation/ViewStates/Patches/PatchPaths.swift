public import JSON

/// The paths of a state that patches may change, with their decoders.
public struct PatchPaths<State: DocumentObject>: Sendable {
    typealias Reader =
        @Sendable (KeyedDecodingContainer<PatchKeys>) throws -> StateChange<State>

    private(set) var readers: [String: Reader] = [:]

    /// Collects the paths of a state.
    init() { State.listFields(&self) }

    /// Adds a value that a patch replaces as a whole.
    private mutating func add<Value: Decodable & Sendable>(
        _ path: String,
        _ set: @escaping @Sendable (inout State, Value) -> Void
    ) {
        readers[path] = { container in
            // A value may be null, but the member must be present.
            guard container.contains(.value) else {
                throw DecodingError.keyNotFound(
                    PatchKeys.value,
                    .init(codingPath: container.codingPath, debugDescription: "no value")
                )
            }
            let value = try container.decode(Value.self, forKey: .value)
            return StateChange { set(&$0, value) }
        }
    }
}

extension PatchPaths: FieldList {
    /// The state whose members are listed.
    public typealias Object = State

    /// Ignores the schema.
    public mutating func describe(
        _ name: String?,
        _ description: @autoclosure () -> String,
        user userDescription: @autoclosure () -> String?
    ) {}

    /// Adds the path of a value.
    public mutating func value<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<State, Value>,
        _ schema: @autoclosure () -> JSONValue?,
        note: @autoclosure () -> String?
    ) {
        add(name) { $0[keyPath: path] = $1 }
    }

    /// Adds the path of a value that may be absent.
    public mutating func optionalValue<Value: DocumentValue>(
        _ name: String,
        _ path: any FieldPath<State, Value?>,
        _ schema: @autoclosure () -> JSONValue?,
        only scope: SchemaScope?,
        note: @autoclosure () -> String?
    ) {
        add(name) { $0[keyPath: path] = $1 }
    }

    /// Adds the path of a keyed list.
    public mutating func rows<Row: KeyedRow>(
        _ name: String,
        _ path: any FieldPath<State, [Row]>,
        insert position: DocumentParts.InsertPosition,
        max count: Int?
    ) {
        readers[name] = { container in
            let patch = RowPatch(
                upsert: try container.decode([Row].self, forKey: .upsert),
                remove: try container.decode([String].self, forKey: .remove),
                order: try container.decode([String]?.self, forKey: .order),
                // Servers before version 2 of `candles` do not send it.
                position: try container.decodeIfPresent(
                    DocumentParts.InsertPosition.self,
                    forKey: .insert
                ) ?? position
            )
            return StateChange { state throws(DocumentPatchMismatch) in
                guard patch.apply(to: &state[keyPath: path]) else {
                    throw DocumentPatchMismatch(path: name)
                }
            }
        }
    }

    /// Adds the paths of an object's members.
    public mutating func part<Part: DocumentObject>(
        _ name: String,
        _ path: any FieldPath<State, Part>
    ) {
        addMembers(of: path) { "\(name).\($0)" }
    }

    /// Adds the paths of an object's members; patches of an absent object do not fit.
    public mutating func optionalPart<Part: DocumentObject>(
        _ name: String,
        _ path: any FieldPath<State, Part?>,
        only scope: SchemaScope?
    ) {
        for (member, read) in PatchPaths<Part>().readers {
            let memberPath = "\(name).\(member)"
            readers[memberPath] = { container in
                let inner = try read(container)
                return StateChange { state throws(DocumentPatchMismatch) in
                    guard var part = state[keyPath: path] else {
                        throw DocumentPatchMismatch(path: memberPath)
                    }
                    try inner.apply(&part)
                    state[keyPath: path] = part
                }
            }
        }
    }

    /// Adds the paths of an object whose members are beside these.
    public mutating func inline<Part: DocumentObject>(_ path: any FieldPath<State, Part>) {
        addMembers(of: path) { $0 }
    }

    /// Adds a path of an earlier version.
    public mutating func former<Value: Decodable & Sendable>(
        _ path: String,
        _ set: @escaping @Sendable (inout State, Value) -> Void
    ) {
        add(path, set)
    }

    private mutating func addMembers<Part: DocumentObject>(
        of path: any FieldPath<State, Part>,
        _ name: (String) -> String
    ) {
        for (member, read) in PatchPaths<Part>().readers {
            readers[name(member)] = { container in
                let inner = try read(container)
                return StateChange { state throws(DocumentPatchMismatch) in
                    try inner.apply(&state[keyPath: path])
                }
            }
        }
    }
}

/// A patch of a keyed list.
private struct RowPatch<Row: KeyedRow>: Sendable {
    let upsert: [Row]
    let remove: [String]
    let order: [String]?
    let position: DocumentParts.InsertPosition

    /// Removes, replaces, inserts and orders rows.
    ///
    /// - Returns: false if the patch does not fit the list; the rows are then undefined.
    func apply(to rows: inout [Row]) -> Bool {
        let removed = Set(remove)
        let count = rows.count
        rows.removeAll { removed.contains(key($0)) }
        guard count - rows.count == remove.count else { return false }
        let places = Dictionary(
            rows.indices.map { (key(rows[$0]), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        guard places.count == rows.count else { return false }
        var new: [Row] = []
        for row in upsert {
            if let place = places[key(row)] {
                rows[place] = row.replacing(rows[place])
            } else {
                new.append(row)
            }
        }
        switch position {
        case .first: rows.insert(contentsOf: new, at: 0)
        case .last: rows += new
        }
        guard let order else { return true }
        let byKey = Dictionary(rows.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        let ordered = order.compactMap { byKey[$0] }
        guard ordered.count == rows.count, Set(order).count == order.count,
            order.count == rows.count
        else { return false }
        rows = ordered
        return true
    }

    private func key(_ row: Row) -> String { Row.key(row.rowID) }
}
