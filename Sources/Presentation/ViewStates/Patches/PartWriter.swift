/// Divides a state into pieces, and takes over those of an older version that stayed as they were.
public struct PartWriter: Sendable {
    private var pieces: [DocumentParts.Piece] = []
    private let old: [DocumentParts.Piece]
    /// What stands before every name, such as `orderBook.`.
    private var prefix = ""

    /// Makes a writer.
    ///
    /// - Parameter old: of the version that the states to come are compared with, if there is one.
    init(after old: DocumentParts?) {
        self.old = old?.pieces ?? []
    }

    /// What was written.
    var document: DocumentParts { DocumentParts(pieces: pieces) }

    /// Takes a value that a patch replaces whole.
    mutating func value<Value: Equatable>(
        _ name: String,
        _ value: Value,
        _ oldValue: Value?,
        _ write: (inout JSONWriter, Value) -> Void
    ) {
        let path = prefix + name
        if value == oldValue, let piece = standing(at: path) {
            pieces.append(piece)
            return
        }
        var json = JSONWriter(capacity: 64)
        write(&json, value)
        pieces.append(.init(path: path, content: .value(json.bytes)))
    }

    /// Takes rows that are there as fragments.
    mutating func rows(_ name: String, _ rows: [ListedRow]) {
        pieces.append(.init(path: prefix + name, content: .rows(rows, .last)))
    }

    /// Takes rows that a patch replaces one by one; those that the list had before are not encoded
    /// again, wherever they stood.
    ///
    /// - Parameters:
    ///   - name: the name of the list.
    ///   - rows: the rows in order.
    ///   - oldRows: those of the older version.
    ///   - newRows: where a patch puts what is new.
    ///   - id: what names a row within the list; different for each.
    ///   - key: the same as text.
    ///   - write: writes a row.
    mutating func rows<Row: Equatable, ID: Hashable>(
        _ name: String,
        _ rows: [Row],
        _ oldRows: [Row]?,
        newRows: DocumentParts.InsertPosition,
        id: (Row) -> ID,
        key: (ID) -> String,
        _ write: (inout JSONWriter, Row) -> Void
    ) {
        let path = prefix + name
        var known: [ListedRow] = []
        if let oldRows, let piece = standing(at: path), case .rows(let old, _) = piece.content,
            old.count == oldRows.count
        {
            if rows == oldRows {
                pieces.append(piece)
                return
            }
            known = old
        }
        let kept = known.isEmpty ? [] : oldRows ?? []
        // Most rows stand where they stood; only where one does not are all looked up.
        var places: [ID: Int]?
        let pieceRows = rows.enumerated().map { index, row in
            if index < kept.count, kept[index] == row { return known[index] }
            if places == nil {
                places = Dictionary(
                    kept.indices.map { (id(kept[$0]), $0) },
                    uniquingKeysWith: { first, _ in first }
                )
            }
            let id = id(row)
            if let place = places?[id], kept[place] == row { return known[place] }
            var json = JSONWriter(capacity: 512)
            write(&json, row)
            return ListedRow(fragment: EncodedRow(key: key(id), bytes: json.bytes))
        }
        pieces.append(.init(path: path, content: .rows(pieceRows, newRows)))
    }

    /// Takes a part that has pieces of its own, whose names `write` gives without that of the part.
    mutating func part<Part: Equatable>(
        _ name: String,
        _ part: Part,
        _ oldPart: Part?,
        _ write: (inout PartWriter, Part, Part?) -> Void
    ) {
        let outer = prefix
        prefix += name + "."
        defer { prefix = outer }
        if part == oldPart, takeStanding() { return }
        write(&self, part, oldPart)
    }

    /// The older version's piece at the place that is written next, if it has that path.
    private func standing(at path: String) -> DocumentParts.Piece? {
        guard pieces.count < old.count, old[pieces.count].path == path else { return nil }
        return old[pieces.count]
    }

    /// Takes over all pieces of the older version that the present part has.
    private mutating func takeStanding() -> Bool {
        let standing = old.dropFirst(pieces.count).prefix { $0.path.hasPrefix(prefix) }
        pieces += standing
        return !standing.isEmpty
    }
}

/// A state that can be told piece by piece, as event streams tell it.
public protocol StreamedState: PatchableState {
    /// Divides the state into pieces.
    ///
    /// - Parameters:
    ///   - pieces: takes them, in the order in which the state is written.
    ///   - old: the state of which the writer has the pieces; nil without one.
    func write(to pieces: inout PartWriter, after old: Self?)

    /// Takes over the times of older healths that say the same and are hardly older:
    /// ``HealthViewState/timeResolution``.
    mutating func coalesceTimes(of old: Self)
}
