/// A reader of event streams that knows the rules of `docs/http-api.md` and no document's type.
extension OrderedJSON {
    /// A patch does not fit the document.
    public struct PatchMismatch: Error, Sendable, Equatable {
        /// The path or key that does not fit.
        public let place: String
    }

    /// Changes a document by the data of one `event: patch`.
    ///
    /// - Parameters:
    ///   - patch: the event's `data`.
    ///   - revision: the event's `id`.
    /// - Throws: ``PatchMismatch``.
    public mutating func apply(_ patch: OrderedJSON, revision: String) throws(PatchMismatch) {
        try set("revision", .string(revision))
        guard let asOf = patch["asOf"], let patches = patch["patches"]?.elements else {
            throw PatchMismatch(place: "patches")
        }
        try set("asOf", asOf)
        for patch in patches {
            guard let path = patch["path"]?.text else { throw PatchMismatch(place: "path") }
            let names = ["state"] + Self.names(of: path)
            try change(names[...]) { old throws(PatchMismatch) in
                if let value = patch["value"] { return value }
                guard let rows = old.elements else { throw PatchMismatch(place: path) }
                return .array(try Self.rows(rows, by: patch))
            }
        }
    }

    /// The names of a path; those of documents in a snapshot contain no dot.
    private static func names(of path: String) -> [String] {
        path.split(separator: ".").map(String.init)
    }

    /// Removes, replaces in place, puts new rows at the named end, then orders.
    private static func rows(
        _ old: [OrderedJSON],
        by patch: OrderedJSON
    ) throws(PatchMismatch) -> [OrderedJSON] {
        guard let upsert = patch["upsert"]?.elements, let remove = patch["remove"]?.elements,
            let insert = patch["insert"]?.text, let order = patch["order"]
        else { throw PatchMismatch(place: "rows") }
        var rows = old
        var keys = old.map(\.key)
        for key in remove.map(\.text) {
            guard let place = keys.firstIndex(of: key) else {
                throw PatchMismatch(place: key ?? "remove")
            }
            rows.remove(at: place)
            keys.remove(at: place)
        }
        var new: [OrderedJSON] = []
        for row in upsert {
            if let place = keys.firstIndex(of: row.key) {
                rows[place] = row
            } else {
                new.append(row)
            }
        }
        switch insert {
        case "first": rows = new + rows
        case "last": rows += new
        default: throw PatchMismatch(place: insert)
        }
        guard let ordered = order.elements?.map(\.text) else { return rows }
        guard ordered.count == rows.count, Set(ordered).count == ordered.count else {
            throw PatchMismatch(place: "order")
        }
        let places = Dictionary(
            rows.indices.map { (rows[$0].key, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return try ordered.map { key throws(PatchMismatch) in
            guard let place = places[key] else { throw PatchMismatch(place: key ?? "order") }
            return rows[place]
        }
    }

    /// The key of a row.
    private var key: String? {
        ["market", "id", "openTime", "asset"].lazy.compactMap { self[$0]?.text }.first
    }

    private mutating func set(_ name: String, _ value: OrderedJSON) throws(PatchMismatch) {
        try change([name]) { _ in value }
    }

    /// Replaces the value at a path, which exists.
    private mutating func change(
        _ path: ArraySlice<String>,
        _ replace: (OrderedJSON) throws(PatchMismatch) -> OrderedJSON
    ) throws(PatchMismatch) {
        guard let name = path.first else {
            self = try replace(self)
            return
        }
        guard case .object(var members) = self,
            let place = members.firstIndex(where: { $0.key == name })
        else { throw PatchMismatch(place: name) }
        var value = members[place].value
        try value.change(path.dropFirst(), replace)
        members[place] = Member(name, value)
        self = .object(members)
    }
}
