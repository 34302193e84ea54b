public import Domain

/// A document: what it is, when and from where it was made, and its state.
///
/// The envelope is the same for all; screen and JSON show the same state.
public struct Document<State: DocumentState>: Sendable, Equatable, Decodable {
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
    /// When this revision was cut.
    public var asOf: Timestamp
    /// Where the data come from.
    public var source: SourceViewState
    /// What the document is about.
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
}

/// A state that is a document of its own.
public protocol DocumentState: Sendable, Equatable, Decodable {
    /// The schema's name.
    static var schemaName: String { get }
    /// The schema's version; changes within a version are additive.
    static var schemaVersion: Int { get }

    /// About how many bytes of JSON the state makes.
    var estimatedJSONSize: Int { get }

    /// Writes the state as one object.
    func write(to json: inout JSONWriter)
}
