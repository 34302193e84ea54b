/// What patches may change of a state, by path.
public struct PatchPaths<State>: Sendable {
    typealias Reader =
        @Sendable (KeyedDecodingContainer<PatchKeys>) throws -> StateChange<State>

    private(set) var readers: [String: Reader] = [:]

    /// Nothing.
    init() {}

    /// Takes a value that is replaced whole.
    mutating func value<Value: Decodable & Sendable>(
        _ path: String,
        _ set: @escaping @Sendable (inout State, Value) -> Void
    ) {
        readers[path] = { container in
            // A value may be null, but it is never missing.
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

    /// Takes a list whose rows are replaced one by one.
    mutating func rows<Row: Decodable & Sendable>(
        _ path: String,
        newRows: DocumentParts.InsertPosition,
        key: @escaping @Sendable (Row) -> String,
        _ change: @escaping @Sendable (inout State, (inout [Row]) -> Void) -> Void
    ) {
        readers[path] = { container in
            let patch = RowPatch(
                upsert: try container.decode([Row].self, forKey: .upsert),
                remove: try container.decode([String].self, forKey: .remove),
                order: try container.decode([String]?.self, forKey: .order),
                newRows: newRows,
                key: key
            )
            return StateChange { state throws(DocumentPatchMismatch) in
                var isFitting = true
                change(&state) { isFitting = patch.apply(to: &$0) }
                if !isFitting { throw DocumentPatchMismatch(path: path) }
            }
        }
    }

    /// Takes all paths of a part that has some of its own; an empty name is for a part whose
    /// members stand among those of the whole.
    mutating func part<Part>(
        _ name: String,
        _ paths: PatchPaths<Part>,
        _ part: any WritableKeyPath<State, Part> & Sendable
    ) {
        for (path, read) in paths.readers {
            readers[name.isEmpty ? path : "\(name).\(path)"] = { container in
                let inner = try read(container)
                return StateChange { state throws(DocumentPatchMismatch) in
                    try inner.apply(&state[keyPath: part])
                }
            }
        }
    }

    /// The same for a part that need not be there; where it is not, a patch of it fits nothing.
    mutating func optionalPart<Part>(
        _ name: String,
        _ paths: PatchPaths<Part>,
        _ part: any WritableKeyPath<State, Part?> & Sendable
    ) {
        for (path, read) in paths.readers {
            let whole = "\(name).\(path)"
            readers[whole] = { container in
                let inner = try read(container)
                return StateChange { state throws(DocumentPatchMismatch) in
                    guard var changed = state[keyPath: part] else {
                        throw DocumentPatchMismatch(path: whole)
                    }
                    try inner.apply(&changed)
                    state[keyPath: part] = changed
                }
            }
        }
    }
}

/// A patch of a keyed list.
private struct RowPatch<Row: Sendable>: Sendable {
    let upsert: [Row]
    let remove: [String]
    let order: [String]?
    let newRows: DocumentParts.InsertPosition
    let key: @Sendable (Row) -> String

    /// Removes, replaces, adds, and puts in order.
    ///
    /// - Returns: whether it is a patch of this list; else the rows are of no use.
    func apply(to rows: inout [Row]) -> Bool {
        let gone = Set(remove)
        let count = rows.count
        rows.removeAll { gone.contains(key($0)) }
        guard count - rows.count == remove.count else { return false }
        let places = Dictionary(
            rows.indices.map { (key(rows[$0]), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        guard places.count == rows.count else { return false }
        var new: [Row] = []
        for row in upsert {
            if let place = places[key(row)] { rows[place] = row } else { new.append(row) }
        }
        switch newRows {
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
}
