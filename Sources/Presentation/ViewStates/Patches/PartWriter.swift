import JSON

/// Divides a state into parts and reuses the unchanged parts of an older version.
public struct PartWriter: Sendable {
    private var parts: [DocumentParts.Part] = []
    private let old: [DocumentParts.Part]
    /// The path of the enclosing object with a dot: `orderBook.`.
    private var prefix = ""

    /// Makes a writer.
    ///
    /// - Parameter old: the parts of the older version; nil without one.
    init(after old: DocumentParts?) {
        self.old = old?.parts ?? []
        parts.reserveCapacity(self.old.count)
    }

    /// The parts written so far.
    var document: DocumentParts { DocumentParts(parts: parts) }

    /// Writes a value that a patch replaces as a whole.
    mutating func value<Value: DocumentValue>(_ name: String, _ value: Value, _ oldValue: Value?) {
        let path = path(name)
        if value == oldValue, let part = oldPart(at: path) {
            parts.append(part)
            return
        }
        var json = JSONWriter(capacity: 64)
        value.write(to: &json)
        parts.append(.init(path: path, content: .value(json.bytes)))
    }

    /// Writes rows that are already encoded.
    mutating func rows(_ name: String, _ rows: [ListedRow]) {
        parts.append(.init(path: path(name), content: .rows(rows, .last)))
    }

    /// Writes rows that a patch replaces one by one; rows of the older version are not encoded
    /// again, even if they moved.
    mutating func rows<Row: KeyedRow>(
        _ name: String,
        _ rows: [Row],
        _ oldRows: [Row]?,
        insert position: DocumentParts.InsertPosition
    ) {
        let path = path(name)
        var oldEncoded: [ListedRow] = []
        if let oldRows, let part = oldPart(at: path), case .rows(let encoded, _) = part.content,
            encoded.count == oldRows.count
        {
            if rows == oldRows {
                parts.append(part)
                return
            }
            oldEncoded = encoded
        }
        let oldRows = oldEncoded.isEmpty ? [] : oldRows ?? []
        // Most rows keep their places, so the index of old rows is built only when one does not.
        var places: [Row.RowID: Int]?
        let encodedRows = rows.enumerated().map { index, row in
            if index < oldRows.count, oldRows[index] == row { return oldEncoded[index] }
            if places == nil {
                places = Dictionary(
                    oldRows.indices.map { (oldRows[$0].rowID, $0) },
                    uniquingKeysWith: { first, _ in first }
                )
            }
            let id = row.rowID
            if let place = places?[id], oldRows[place] == row { return oldEncoded[place] }
            var json = JSONWriter(capacity: 512)
            row.write(to: &json)
            return ListedRow(fragment: EncodedRow(key: Row.key(id), bytes: json.bytes))
        }
        parts.append(.init(path: path, content: .rows(encodedRows, position)))
    }

    /// Writes an object whose members `write` writes under their own names.
    mutating func part<Object: Equatable>(
        _ name: String,
        _ object: Object,
        _ oldObject: Object?,
        _ write: (inout PartWriter, Object, Object?) -> Void
    ) {
        let outer = prefix
        prefix += name + "."
        defer { prefix = outer }
        if object == oldObject, reuseObject() { return }
        write(&self, object, oldObject)
    }

    private func path(_ name: String) -> DocumentParts.Path { .init(objects: prefix, name: name) }

    /// The older version's part at the position of the next part, if its path is equal.
    private func oldPart(at path: DocumentParts.Path) -> DocumentParts.Part? {
        guard parts.count < old.count, old[parts.count].path == path else { return nil }
        return old[parts.count]
    }

    /// Reuses all parts of the older version below the current path.
    private mutating func reuseObject() -> Bool {
        let reused = old.dropFirst(parts.count).prefix { $0.path.objects.hasPrefix(prefix) }
        parts += reused
        return !reused.isEmpty
    }
}

/// A state that event streams send in parts.
public protocol StreamedState: PatchableState {
    /// Restores the old health times if they differ by less than
    /// ``HealthViewState/timeResolution``.
    mutating func coalesceTimes(of old: Self)
}
