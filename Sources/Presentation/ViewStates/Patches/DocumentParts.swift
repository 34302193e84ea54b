import JSON

/// A document's state in the parts that a patch replaces: whole values, and rows by their keys.
///
/// Parts that did not change are those of the pieces before, shared by reference: comparing two
/// versions of a list costs a look at each row's address.
public struct DocumentParts: Sendable {
    /// Where a list takes a row that a patch brings and that it did not have.
    ///
    /// This is the rule behind `"order": null`: rows that a patch removes go, rows that stand stay
    /// where they are, and new ones are put, in the order in which the patch brings them, …
    public enum InsertPosition: Sendable, Hashable {
        /// … before all others: trades, which are told newest first.
        case first
        /// … behind all others: every other list.
        case last
    }

    /// One part.
    struct Piece: Sendable {
        /// Where the part stands, dotted from `state`: `trades.rows`.
        let path: String
        let content: Content
    }

    /// What a part holds.
    enum Content: Sendable {
        /// A value as JSON.
        case value([UInt8])
        /// Rows with keys of their own.
        case rows([ListedRow], InsertPosition)
    }

    /// In the order of the document.
    let pieces: [Piece]

    /// Writes the whole state, as one object.
    func write(to json: inout JSONWriter) {
        var open: [Substring] = []
        json.beginObject()
        for piece in pieces {
            let names = piece.path.split(separator: ".")
            let shared = zip(open, names.dropLast()).prefix { $0 == $1 }.count
            for _ in shared..<open.count { json.endObject() }
            open.removeSubrange(shared...)
            for name in names[shared...].dropLast() {
                json.key(String(name))
                json.beginObject()
                open.append(name)
            }
            json.key(String(names[names.count - 1]))
            piece.content.write(to: &json)
        }
        for _ in open { json.endObject() }
        json.endObject()
    }

    /// About how many bytes of JSON the state makes.
    var byteCount: Int { pieces.reduce(2) { $0 + $1.path.utf8.count + 4 + $1.content.byteCount } }
}

extension DocumentParts.Content {
    var byteCount: Int {
        switch self {
        case .value(let bytes): bytes.count
        case .rows(let rows, _): rows.reduce(2) { $0 + $1.byteCount + 1 }
        }
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .value(let bytes): json.encoded(bytes)
        case .rows(let rows, _): json.array(rows) { json, row in row.write(to: &json) }
        }
    }
}
