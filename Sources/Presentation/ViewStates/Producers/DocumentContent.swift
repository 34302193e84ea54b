public import Domain

/// The content of a document beside its envelope, as ``DocumentCache`` keeps it.
protocol DocumentContent: Sendable, Equatable {
    static var schemaName: String { get }
    static var schemaVersion: Int { get }
    /// Bytes of the content, its JSON and its gzip, by estimate; 1 or more.
    var estimatedByteCount: Int { get }

    /// Returns this content with the health times of the older content where they differ by less
    /// than ``HealthViewState/timeResolution``.
    func coalescingTimes(of old: Self) -> Self

    /// Returns this content with the fields of the newer, equal content that `==` ignores.
    func updated(from new: Self) -> Self

    /// Divides the content into parts; unchanged parts are shared with the older content's.
    func parts(after old: (content: Self, parts: DocumentParts)?) -> DocumentParts

    /// The whole document; nil if it is composed of its parts.
    func json(_ envelope: DocumentEnvelope) -> [UInt8]?
}

extension DocumentContent {
    func updated(from new: Self) -> Self { self }

    /// The document in parts.
    static func version(_ envelope: DocumentEnvelope, _ parts: DocumentParts) -> DocumentVersion {
        DocumentVersion(
            schema: schemaName,
            schemaVersion: schemaVersion,
            revision: envelope.revision,
            asOf: envelope.asOf,
            source: envelope.source,
            state: parts
        )
    }

    /// The whole document as JSON.
    func encoded(_ envelope: DocumentEnvelope) -> [UInt8] {
        json(envelope) ?? Self.version(envelope, parts(after: nil)).json
    }
}

/// The fields that identify a version of a document.
struct DocumentEnvelope: Sendable {
    var revision: DocumentRevision
    var asOf: Timestamp
    var source: SourceViewState
}

/// A view state as content.
struct StateContent<State: StreamedState>: DocumentContent {
    static var schemaName: String { State.schemaName }
    static var schemaVersion: Int { State.schemaVersion }

    let state: State

    /// A view state takes about three times the size of its JSON; JSON and gzip take five quarters,
    /// and the same in the files of both.
    var estimatedByteCount: Int { state.estimatedJSONSize * 11 / 2 + 1_024 }

    func coalescingTimes(of old: Self) -> Self {
        var state = state
        state.coalesceTimes(of: old.state)
        return Self(state: state)
    }

    func parts(after old: (content: Self, parts: DocumentParts)?) -> DocumentParts {
        var writer = PartWriter(after: old?.parts)
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

extension SourceViewState {
    /// The source of a feed.
    public init(_ feed: FeedStatus) { self.init(feed.kind, feed.api) }

    /// The source of a feed of this kind that reads this API.
    public init(_ kind: FeedKind, _ api: ExchangeAPI) {
        self.init(exchange: "bithumb", feed: FeedLabel(kind), api: api.rawValue)
    }
}

extension FeedLabel {
    /// The label of a kind of feed.
    public init(_ kind: FeedKind) {
        self =
            switch kind {
            case .live: .live
            case .simulated: .simulated
            case .replay: .replay
            }
    }
}
