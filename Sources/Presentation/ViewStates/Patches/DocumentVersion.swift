import Domain
import JSON

/// A document as it stood at one revision, in pieces.
public struct DocumentVersion: Sendable {
    /// The schema's name.
    let schema: String
    /// The schema's version.
    let schemaVersion: Int
    /// The revision.
    let revision: DocumentRevision
    /// When this revision was cut.
    let asOf: Timestamp
    /// Where the data come from.
    let source: SourceViewState
    /// What the document is about.
    let pieces: DocumentParts

    /// The document as JSON: the bytes of the same document's GET.
    public var json: [UInt8] {
        var json = JSONWriter(capacity: 512 + pieces.byteCount)
        json.object { json in
            json.member("schema", schema)
            json.member("version", schemaVersion)
            json.member("revision", revision.text)
            json.member("asOf", asOf)
            json.member("source", source)
            json.key("state")
            pieces.write(to: &json)
        }
        return json.bytes
    }
}

/// What names a version of a document: `<epoch>-<counter>`.
public struct DocumentRevision: Sendable, Hashable {
    /// What stands before the counter, new at each start of a process, other for each user.
    let epoch: String
    /// Grows with every version of every document of the process.
    let counter: UInt64

    init(epoch: String, counter: UInt64) {
        self.epoch = epoch
        self.counter = counter
    }

    /// Reads a revision as it is written; nil if the text is none, or of another epoch.
    init?(text: String, of epoch: String) {
        guard text.hasPrefix(epoch + "-"),
            let counter = UInt64(text.dropFirst(epoch.count + 1)),
            text == "\(epoch)-\(counter)"
        else { return nil }
        self.init(epoch: epoch, counter: counter)
    }

    /// `k3v9x2-1842`.
    public var text: String { "\(epoch)-\(counter)" }
}
