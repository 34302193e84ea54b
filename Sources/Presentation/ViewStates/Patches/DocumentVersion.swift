import Domain
import JSON

/// One revision of a document, divided into parts.
public struct DocumentVersion: Sendable {
    /// The schema's name.
    let schema: String
    /// The schema's version.
    let schemaVersion: Int
    /// The revision.
    let revision: DocumentRevision
    /// When this revision was made.
    let asOf: Timestamp
    /// The source of the data.
    let source: SourceViewState
    /// The state.
    let state: DocumentParts

    /// The document as JSON, equal to the response of GET.
    public var json: [UInt8] {
        var json = JSONWriter(capacity: 512 + state.byteCount)
        json.object { json in
            json.member("schema", schema)
            json.member("version", schemaVersion)
            json.member("revision", revision.text)
            json.member("asOf", asOf)
            json.member("source", source)
            json.key("state")
            state.write(to: &json)
        }
        return json.bytes
    }
}

/// Identifies a version of a document: `<epoch>-<counter>`.
public struct DocumentRevision: Sendable, Hashable {
    /// New at each start of the process, and different for each user.
    let epoch: String
    /// Increases with every version of every document of the process.
    public let counter: UInt64

    init(epoch: String, counter: UInt64) {
        self.epoch = epoch
        self.counter = counter
    }

    /// Parses a revision; nil for any other text and for another epoch.
    init?(text: String, of epoch: String) {
        guard text.hasPrefix(epoch + "-"),
            let counter = UInt64(text.dropFirst(epoch.count + 1)),
            text == "\(epoch)-\(counter)"
        else { return nil }
        self.init(epoch: epoch, counter: counter)
    }

    /// `k3v9x2-1842`.
    public var text: String { "\(epoch)-\(counter)" }

    /// The longest text of a revision.
    public static let lengthMax = 85

    /// Whether a text has the form of a revision: an epoch of letters, digits and hyphens, a hyphen
    /// and a counter.
    public static func isWellFormed(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count > 1, text.utf8.count <= lengthMax, let counter = parts.last,
            counter.utf8.count <= 20, counter.allSatisfy(\.isNumber)
        else { return false }
        return parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
    }
}
