/// A document of something that is kept for a user: no market data, so no time of a cut and no
/// source.
public struct StoredDocument<State: DocumentState>: Sendable, Equatable, Decodable {
    /// The schema's name.
    public var schema: String
    /// The schema's version.
    public var version: Int
    /// `u<user>-<counter>`, kept in the store: the same on every instance.
    public var revision: String
    /// What is kept.
    public var state: State

    /// Makes a document; without a counter one of what was not read.
    public init(user: Int64, counter: Int64?, state: State) {
        schema = State.schemaName
        version = State.schemaVersion
        revision = "u\(user)-" + (counter.map { "\($0)" } ?? "unread")
        self.state = state
    }
}
