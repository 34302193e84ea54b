import Domain

/// What a shelf keeps of a document beside its envelope.
protocol DocumentContent: Sendable, Equatable {
    /// The schema's name.
    static var schemaName: String { get }
    /// The schema's version.
    static var schemaVersion: Int { get }

    /// The content with the times of health that an older one has, where they are hardly older.
    func coalescingTimes(of old: Self) -> Self

    /// Divides the content; pieces that stayed as they were are those of the older content.
    func pieces(after old: (content: Self, pieces: DocumentParts)?) -> DocumentParts

    /// The whole document, if that is made otherwise than of pieces.
    func json(_ envelope: DocumentEnvelope) -> [UInt8]?
}

/// What a document says of itself.
struct DocumentEnvelope: Sendable {
    var revision: DocumentRevision
    var asOf: Timestamp
    var source: SourceViewState
}

/// A view state as content: encoded whole for those who read it whole.
struct StateContent<State: StreamedState>: DocumentContent {
    static var schemaName: String { State.schemaName }
    static var schemaVersion: Int { State.schemaVersion }

    let state: State

    func coalescingTimes(of old: Self) -> Self {
        var state = state
        state.coalesceTimes(of: old.state)
        return Self(state: state)
    }

    func pieces(after old: (content: Self, pieces: DocumentParts)?) -> DocumentParts {
        var writer = PartWriter(after: old?.pieces)
        state.write(to: &writer, after: old?.content.state)
        return writer.document
    }

    func json(_ envelope: DocumentEnvelope) -> [UInt8]? { document(envelope).json }

    func document(_ envelope: DocumentEnvelope) -> Document<State> {
        Document(
            revision: envelope.revision.text,
            asOf: envelope.asOf,
            source: envelope.source,
            state: state
        )
    }
}
