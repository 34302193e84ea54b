import JSON

/// A document's state divided into the parts that patches replace: values, and rows by key.
///
/// Unchanged parts are shared with the previous version by reference, so comparing two versions of
/// a list costs one pointer comparison per row.
public struct DocumentParts: Sendable {
    /// The end at which a patch inserts new rows.
    ///
    /// The rule behind `"order": null`: removed rows go, other rows keep their places, and new rows
    /// are inserted here in the order of the patch. Each patch of rows names it as `insert`.
    public enum InsertPosition: String, Sendable, Hashable, Decodable, CaseIterable {
        /// Before all others: trades, which are newest first.
        case first
        /// After all others: every other list.
        case last
    }

    /// The place of a part in the state.
    ///
    /// Names are literals, so that equal paths compare without reading them.
    struct Path: Sendable, Equatable {
        /// The names of the enclosing objects, each with a dot: `trades.`.
        let objects: String
        let name: String
        /// Dotted from `state`: `trades.rows`.
        var text: String { objects + name }
    }

    /// One part.
    struct Part: Sendable {
        let path: Path
        let content: Content
        /// With quotes, colon and comma.
        var byteCount: Int {
            path.objects.utf8.count + path.name.utf8.count + 4 + content.byteCount
        }
    }

    /// The content of a part.
    enum Content: Sendable {
        /// A value as JSON.
        case value([UInt8])
        /// Keyed rows.
        case rows([ListedRow], InsertPosition)
    }

    /// In the order of the document.
    let parts: [Part]

    /// Writes the whole state as one object.
    func write(to json: inout JSONWriter) {
        var open: [Substring] = []
        json.beginObject()
        for part in parts {
            let names = part.path.objects.split(separator: ".")
            let shared = zip(open, names).prefix { $0 == $1 }.count
            for _ in shared..<open.count { json.endObject() }
            open.removeSubrange(shared...)
            for name in names[shared...] {
                json.key(String(name))
                json.beginObject()
                open.append(name)
            }
            json.key(part.path.name)
            part.content.write(to: &json)
        }
        for _ in open { json.endObject() }
        json.endObject()
    }

    /// An estimate of the encoded size in bytes.
    var byteCount: Int { parts.reduce(2) { $0 + $1.byteCount } }
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
