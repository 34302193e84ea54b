public import Domain
import JSON

/// A document: schema, revision, time, source, and a state.
///
/// Every document has this envelope. Screens and JSON show the same state. To add a field to a
/// state, see ``DocumentObject`` and ``FieldList``.
public struct Document<State: DocumentState>: DocumentObject {
    /// The schema's name.
    public static var schemaName: String { State.schemaName }
    /// The schema's version; changes within a version are additive.
    public static var schemaVersion: Int { State.schemaVersion }

    /// The schema's name.
    public var schema: String
    /// The schema's version.
    public var version: Int
    /// Opaque: `<epoch>-<counter>`; changes exactly when the content changes.
    public var revision: String
    /// When this revision was made.
    public var asOf: Timestamp
    /// The source of the data.
    public var source: SourceViewState
    /// The content.
    public var state: State

    /// Makes a document.
    public init(revision: String, asOf: Timestamp, source: SourceViewState, state: State) {
        schema = State.schemaName
        version = State.schemaVersion
        self.revision = revision
        self.asOf = asOf
        self.source = source
        self.state = state
    }

    private enum CodingKeys: String, CodingKey {
        case schema, version, revision, asOf, source, state
    }

    /// Reads a document of this or an earlier version, which becomes one of this version.
    ///
    /// - Throws: `DecodingError`, also for a later version.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        schema = try container.decode(String.self, forKey: .schema)
        guard 1...State.schemaVersion ~= (try container.decode(Int.self, forKey: .version)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .version,
                in: container,
                debugDescription: "a later version than \(State.schemaVersion)"
            )
        }
        version = State.schemaVersion
        revision = try container.decode(String.self, forKey: .revision)
        asOf = try container.decode(Timestamp.self, forKey: .asOf)
        source = try container.decode(SourceViewState.self, forKey: .source)
        state = try container.decode(State.self, forKey: .state)
    }

    /// The document as one line of JSON.
    public var json: [UInt8] {
        var json = JSONWriter(capacity: 512 + state.estimatedJSONSize)
        write(to: &json)
        return json.bytes
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("The document `\(schemaName)`, version \(schemaVersion).")
        fields.add("schema", \.schema, .constant(schemaName))
        fields.add("version", \.version, .constant(schemaVersion))
        fields.add("revision", \.revision, .schema("Revision"))
        fields.add("asOf", \.asOf, note: "When this revision was made.")
        fields.add("source", \.source)
        fields.add("state", \.state)
    }
}

/// A document of stored user data: no market data, so neither `asOf` nor `source`.
public struct StoredDocument<State: DocumentState>: DocumentObject {
    /// The schema's name.
    public var schema: String
    /// The schema's version.
    public var version: Int
    /// `u<user>-<counter>`, kept in the store: the same on every instance.
    ///
    /// Without a counter `u<user>-<digest>-0`, so that no order is claimed.
    public var revision: String
    /// The stored data.
    public var state: State

    /// Makes a document; a nil counter means that the data are not loaded.
    public init(user: Int64, counter: Int64?, state: State) {
        schema = State.schemaName
        version = State.schemaVersion
        revision = "u\(user)-" + (counter.map { "\($0)" } ?? "unread")
        self.state = state
    }

    /// Makes a document whose changes the store does not count.
    ///
    /// - Parameters:
    ///   - user: the owner's number.
    ///   - digest: of the state's JSON.
    ///   - state: the stored data.
    public init(user: Int64, digest: UInt64, state: State) {
        self.init(user: user, counter: 0, state: state)
        let digits = String(digest, radix: 16)
        let zeros = String(repeating: "0", count: 16 - digits.utf8.count)
        revision = "u\(user)-\(zeros)\(digits)-0"
    }

    /// The document as one line of JSON.
    public var json: [UInt8] {
        var json = JSONWriter(capacity: 128 + state.estimatedJSONSize)
        write(to: &json)
        return json.bytes
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object(
            "The document `\(State.schemaName)`, version \(State.schemaVersion). It is kept"
                + " in the store: its revision is the same on every instance."
        )
        fields.add("schema", \.schema, .constant(State.schemaName))
        fields.add("version", \.version, .constant(State.schemaVersion))
        fields.add(
            "revision",
            \.revision,
            .text(pattern: "^u[0-9]+-([0-9a-f]{16}-0|[0-9]+|unread)$")
        )
        fields.add("state", \.state)
    }
}

/// A state that has a document of its own.
public protocol DocumentState: DocumentObject {
    /// The schema's name.
    static var schemaName: String { get }
    /// The schema's version; changes within a version are additive.
    static var schemaVersion: Int { get }

    /// An estimate of the encoded size in bytes.
    var estimatedJSONSize: Int { get }
}

extension DocumentState {
    /// Version 1.
    public static var schemaVersion: Int { 1 }
}
