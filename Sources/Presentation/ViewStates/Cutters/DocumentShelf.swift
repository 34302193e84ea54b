public import Domain

/// The last document of each query: what gives revisions and lets everybody share bytes.
///
/// A plain value: its owner keeps it under a lock. `Memo` is what is kept with a query beside the
/// document, as long as that.
struct DocumentShelf<Query: Hashable & Sendable, State: DocumentState, Memo: Sendable>: Sendable {
    /// How much is remembered; when full, the query asked longest ago is forgotten, and its next
    /// document starts with a new revision.
    struct Bounds: Sendable {
        /// Distinct queries.
        var queriesMax: Int
        /// The sum of the documents' weights.
        var weightMax: Int
        /// How much a document weighs.
        var weight: @Sendable (State) -> Int
    }

    struct Entry: Sendable {
        var memo: Memo
        /// Of the cut that the document was last compared with.
        var sequence: UInt64
        /// Of the cut of what is personal, likewise; 0 where nothing personal is shown.
        var personalSequence: UInt64
        var document: Document<State>
        /// Encoded when somebody first asks for bytes.
        var bytes: [UInt8]?
        var weight: Int
        /// Counts uses of the shelf: the smallest is the one asked longest ago.
        var usedAt: UInt64
    }

    private let bounds: Bounds
    /// The first part of every revision, new at each start of the process.
    private let epoch: String
    private var entries: [Query: Entry] = [:]
    private var weight = 0
    private var counter: UInt64 = 0
    private var uses: UInt64 = 0

    init(epoch: String, bounds: Bounds) {
        self.epoch = epoch
        self.bounds = bounds
    }

    /// The document of a query at a cut, with a new revision if its content is another than before.
    ///
    /// - Parameters:
    ///   - query: what was asked.
    ///   - cut: not older than the cut of any earlier call.
    ///   - personalSequence: that of the cut of what is personal, if the content has any; it only
    ///     grows, too.
    ///   - isEncoded: whether the bytes are wanted, too.
    ///   - make: makes the content, from what was kept with the query; not called where the cuts
    ///     are those of the last call.
    /// - Returns: what is remembered of the query.
    mutating func entry(
        _ query: Query,
        _ cut: BoardCut,
        personalSequence: UInt64 = 0,
        isEncoded: Bool,
        make: (Memo?) -> (state: State, memo: Memo)
    ) -> Entry {
        uses += 1
        let old = entries[query]
        var entry: Entry
        if let old, old.sequence == cut.sequence, old.personalSequence == personalSequence {
            entry = old
        } else {
            entry = makeEntry(cut, personalSequence, old, make(old?.memo))
        }
        entry.usedAt = uses
        if isEncoded, entry.bytes == nil { entry.bytes = entry.document.json }
        weight += entry.weight - (old?.weight ?? 0)
        entries[query] = entry
        forgetOldest()
        return entry
    }

    private mutating func makeEntry(
        _ cut: BoardCut,
        _ personalSequence: UInt64,
        _ old: Entry?,
        _ content: (state: State, memo: Memo)
    ) -> Entry {
        let source = SourceViewState(cut.board.feed.kind)
        if var kept = old, kept.document.state == content.state, kept.document.source == source {
            kept.memo = content.memo
            kept.sequence = cut.sequence
            kept.personalSequence = personalSequence
            return kept
        }
        counter += 1
        return Entry(
            memo: content.memo,
            sequence: cut.sequence,
            personalSequence: personalSequence,
            document: Document(
                revision: "\(epoch)-\(counter)",
                asOf: cut.cutAt,
                source: source,
                state: content.state
            ),
            bytes: nil,
            weight: bounds.weight(content.state),
            usedAt: uses
        )
    }

    private mutating func forgetOldest() {
        while entries.count > bounds.queriesMax || weight > bounds.weightMax,
            let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt })
        {
            weight -= oldest.value.weight
            entries[oldest.key] = nil
        }
    }
}

extension DocumentShelf.Entry {
    /// The document as JSON, and its revision.
    var encoded: (bytes: [UInt8], revision: String) {
        (bytes ?? document.json, document.revision)
    }
}

extension SourceViewState {
    /// The source of a feed of this kind.
    public init(_ kind: FeedKind) {
        let label: FeedLabel =
            switch kind {
            case .live: .live
            case .simulated: .simulated
            case .replay: .replay
            }
        self.init(exchange: "bithumb", feed: label, api: "1")
    }
}
