public import Domain

/// The last document of each query: what gives revisions and lets everybody share bytes.
///
/// A plain value: its owner keeps it under a lock. `Memo` is what is kept with a query beside the
/// document, as long as that.
struct DocumentCache<Query: Hashable & Sendable, Content: DocumentContent, Memo: Sendable>: Sendable
{
    /// How much is remembered; when full, the document of the query asked longest ago is forgotten.
    ///
    /// For a while it is known again: until then its revision stays if its content does.
    ///
    /// Queries that are pinned do not count: whoever pins bounds them.
    struct Bounds: Sendable {
        /// Distinct queries.
        var queriesMax: Int
        /// The sum of the documents' weights.
        var weightMax: Int
        /// How much a document weighs.
        var weight: @Sendable (Content) -> Int
    }

    /// What is wanted of a document beside its content.
    enum Want: Sendable {
        case nothing
        case bytes
        case pieces
    }

    /// Where the document of a query stands: under its name, or in a place of its own.
    enum Place: Sendable {
        case query(Query)
        case pin(Int)
    }

    /// The cuts that a document is made of.
    struct Moment: Sendable {
        let cut: BoardSnapshot
        /// Of the cut of what is personal, if the content has any; it only grows, too.
        var personalSequence: UInt64 = 0
    }

    struct Entry: Sendable {
        var memo: Memo
        /// Of the cut that the document was last compared with.
        var sequence: UInt64
        /// Of the cut of what is personal, likewise; 0 where nothing personal is shown.
        var personalSequence: UInt64
        var envelope: DocumentEnvelope
        var content: Content
        /// Encoded when somebody first asks for bytes.
        var bytes: [UInt8]?
        /// Divided when somebody first asks for pieces.
        var pieces: DocumentParts?
        /// The newest content that was divided, until the present one is.
        var divided: (content: Content, pieces: DocumentParts)?
        var weight: Int
        /// Counts uses of the shelf: the smallest is the one asked longest ago.
        var usedAt: UInt64
    }

    /// A query whose document is kept until all who hold it let go.
    private struct Pin: Sendable {
        let query: Query
        var holders: Int
        var entry: Entry?
    }

    private let bounds: Bounds
    /// The first part of every revision, new at each start of the process.
    private let epoch: String
    private let counter: RevisionCounter
    private var entries: [Query: Entry] = [:]
    private var weight = 0
    private var uses: UInt64 = 0
    private var pins: [Pin?] = []
    private var pinned: [Query: Int] = [:]
    private var forgotten = EvictedRevisions<Query>()

    init(epoch: String, counter: RevisionCounter, bounds: Bounds) {
        self.epoch = epoch
        self.counter = counter
        self.bounds = bounds
    }

    /// How many documents are kept, those that are pinned apart.
    var count: Int { entries.count }

    /// The document of a query at a cut, with a new revision if its content is another than before.
    ///
    /// - Parameters:
    ///   - place: which query.
    ///   - moment: the cuts, not older than those of any earlier call.
    ///   - want: what else is wanted.
    ///   - make: makes the content, from what was kept with the query; not called where the cuts
    ///     are those of the last call.
    /// - Returns: what is remembered of the query.
    mutating func entry(
        _ place: Place,
        _ moment: Moment,
        _ want: Want,
        make: (Memo?) -> (content: Content, memo: Memo)
    ) -> Entry {
        uses += 1
        switch place {
        case .pin(let number): return pinnedEntry(number, moment, want, make)
        case .query(let query):
            if let number = pinned[query] { return pinnedEntry(number, moment, want, make) }
            let old = entries[query]
            let entry = newest(query, old, moment, want, make)
            weight += entry.weight - (old?.weight ?? 0)
            entries[query] = entry
            forgetOldest()
            return entry
        }
    }

    /// Keeps the document of a query, and what it is compared with, until it is let go.
    ///
    /// - Returns: its place.
    mutating func pin(_ query: Query) -> Int {
        if let number = pinned[query] {
            pins[number]?.holders += 1
            return number
        }
        let entry = entries.removeValue(forKey: query)
        weight -= entry?.weight ?? 0
        let pin = Pin(query: query, holders: 1, entry: entry)
        let number = pins.firstIndex { $0 == nil } ?? pins.count
        if number == pins.count { pins.append(pin) } else { pins[number] = pin }
        pinned[query] = number
        return number
    }

    /// Lets go what ``pin(_:)`` has kept: from the last time on it counts as any other query.
    mutating func unpin(_ number: Int) {
        guard var pin = pins[number] else { return }
        pin.holders -= 1
        guard pin.holders == 0 else {
            pins[number] = pin
            return
        }
        pins[number] = nil
        pinned[pin.query] = nil
        guard var entry = pin.entry else { return }
        entry.pieces = nil
        entry.divided = nil
        weight += entry.weight
        entries[pin.query] = entry
        forgetOldest()
    }

    private mutating func pinnedEntry(
        _ number: Int,
        _ moment: Moment,
        _ want: Want,
        _ make: (Memo?) -> (content: Content, memo: Memo)
    ) -> Entry {
        guard let pin = pins[number] else { preconditionFailure("Nobody holds this place.") }
        let entry = newest(pin.query, pin.entry, moment, want, make)
        pins[number]?.entry = entry
        return entry
    }

    private mutating func newest(
        _ query: Query,
        _ old: Entry?,
        _ moment: Moment,
        _ want: Want,
        _ make: (Memo?) -> (content: Content, memo: Memo)
    ) -> Entry {
        var entry: Entry
        if let old, old.sequence == moment.cut.sequence,
            old.personalSequence == moment.personalSequence
        {
            entry = old
        } else {
            entry = changed(query, old, moment, make(old?.memo))
        }
        entry.usedAt = uses
        switch want {
        case .nothing: break
        case .bytes:
            if entry.bytes == nil { entry.encode() }
        case .pieces:
            if entry.pieces == nil { entry.divide() }
        }
        return entry
    }

    private mutating func changed(
        _ query: Query,
        _ old: Entry?,
        _ moment: Moment,
        _ new: (content: Content, memo: Memo)
    ) -> Entry {
        let source = SourceViewState(moment.cut.board.feed.kind)
        if var kept = old, kept.envelope.source == source,
            kept.content == new.content.coalescingTimes(of: kept.content)
        {
            kept.memo = new.memo
            kept.sequence = moment.cut.sequence
            kept.personalSequence = moment.personalSequence
            return kept
        }
        let known =
            old == nil
            ? forgotten.take(query, source) { new.content.encoded($0) } : nil
        return Entry(
            memo: new.memo,
            sequence: moment.cut.sequence,
            personalSequence: moment.personalSequence,
            envelope: known?.envelope
                ?? DocumentEnvelope(
                    revision: DocumentRevision(epoch: epoch, counter: counter.next()),
                    asOf: moment.cut.capturedAt,
                    source: source
                ),
            content: new.content,
            bytes: known?.bytes,
            pieces: nil,
            divided: old.flatMap { old in
                old.pieces.map { (old.content, $0) } ?? old.divided
            },
            weight: bounds.weight(new.content),
            usedAt: uses
        )
    }

    private mutating func forgetOldest() {
        while entries.count > bounds.queriesMax || weight > bounds.weightMax,
            let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt })
        {
            weight -= oldest.value.weight
            entries[oldest.key] = nil
            forgotten.put(oldest.key, oldest.value.envelope, oldest.value.encoded.bytes)
        }
    }
}

extension DocumentCache.Entry {
    /// The document as JSON, and its revision.
    var encoded: (bytes: [UInt8], revision: String) {
        (bytes ?? encodedBytes, envelope.revision.text)
    }

    /// The document in pieces.
    var version: DocumentVersion {
        DocumentVersion(
            schema: Content.schemaName,
            schemaVersion: Content.schemaVersion,
            revision: envelope.revision,
            asOf: envelope.asOf,
            source: envelope.source,
            pieces: pieces ?? content.pieces(after: divided)
        )
    }

    /// Pieces that are there already are not made again.
    fileprivate var encodedBytes: [UInt8] { content.json(envelope) ?? version.json }

    fileprivate mutating func encode() { bytes = encodedBytes }

    fileprivate mutating func divide() {
        pieces = content.pieces(after: divided)
        divided = nil
    }
}

extension DocumentContent {
    /// The whole document as JSON.
    fileprivate func encoded(_ envelope: DocumentEnvelope) -> [UInt8] {
        json(envelope)
            ?? DocumentVersion(
                schema: Self.schemaName,
                schemaVersion: Self.schemaVersion,
                revision: envelope.revision,
                asOf: envelope.asOf,
                source: envelope.source,
                pieces: pieces(after: nil)
            ).json
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
