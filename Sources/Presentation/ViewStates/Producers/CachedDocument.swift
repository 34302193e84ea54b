import Domain
import Synchronization

/// Content and the snapshots it was made of.
struct Production<Content: Sendable>: Sendable {
    let snapshot: BoardSnapshot
    /// The sequence of the user's state; 0 for a document that shows none.
    var userSequence: UInt64 = 0
    /// Nil if the snapshots are those of the last edition.
    let content: Content?
}

extension EncodedDocument {
    /// Called with the last and a new revision before readers get the new one.
    typealias Preparation = (_ old: EncodedDocument, _ new: EncodedDocument) -> Void
}

/// A content in one place, for an edition and the closure that encodes it.
private final class SharedContent<Content: Sendable>: Sendable {
    let value: Content

    init(_ value: Content) { self.value = value }
}

/// The newest edition of one document.
final class CachedDocument<Content: DocumentContent>: Sendable {
    /// A revision, and the newest snapshots that have its content.
    ///
    /// An object, so that passing it on does not copy the content.
    final class Edition: Sendable {
        /// The newest snapshot it was compared with.
        let sequence: UInt64
        let userSequence: UInt64
        /// When that snapshot was made.
        let comparedAt: Timestamp
        let envelope: DocumentEnvelope
        let encoded: EncodedDocument
        private let shared: SharedContent<Content>
        /// Bytes of the content, its JSON and its gzip, by estimate; 1 or more.
        let byteCount: Int

        fileprivate init(
            of production: Production<Content>,
            _ envelope: DocumentEnvelope,
            _ content: SharedContent<Content>,
            _ encoded: EncodedDocument,
            byteCount: Int
        ) {
            sequence = production.snapshot.sequence
            userSequence = production.userSequence
            comparedAt = production.snapshot.capturedAt
            self.envelope = envelope
            shared = content
            self.encoded = encoded
            self.byteCount = byteCount
        }

        var content: Content { shared.value }

        /// Whether the document was compared with these snapshots.
        func isOf(_ snapshot: BoardSnapshot, userSequence: UInt64 = 0) -> Bool {
            sequence == snapshot.sequence && self.userSequence == userSequence
        }
    }

    private struct State {
        var edition: Edition?
        /// The way to the edition from the ones before, kept from the second one on.
        var log: ChangeLog?
        /// The revision of an evicted content, and the digest of its JSON.
        var evicted: (envelope: DocumentEnvelope, digest: Int)?
        /// The size that ``takeNewSize()`` returned last.
        var takenSize = 0

        var byteCount: Int {
            guard let byteCount = edition?.byteCount else { return 0 }
            // The log has the JSON in parts: about half of what content and JSON take together.
            return log == nil ? byteCount : byteCount + byteCount / 2
        }
    }

    /// A second edition within this time begins a log: clients that ask more rarely do not
    /// continue with a stream.
    private static var resumeInterval: Duration { .seconds(60) }

    let key: DocumentCacheKey
    private let logBounds: ChangeLog.Bounds
    /// Held while an edition is made; readers of the last one do not wait.
    private let making = Mutex(())
    private let state = Mutex(State())

    init(_ key: DocumentCacheKey, logBounds: ChangeLog.Bounds) {
        self.key = key
        self.logBounds = logBounds
    }

    /// Compares the document with the newest snapshot; makes a new revision if the content changed.
    func update(
        makeRevision: () -> DocumentRevision,
        prepare: EncodedDocument.Preparation?,
        produce: (Edition?) -> Production<Content>
    ) -> Edition {
        making.withLock { _ in
            // Taken out, because a second reference would copy the log.
            let (old, evicted) = state.withLock { ($0.edition, $0.evicted) }
            var log = state.withLock { $0.log.take() }
            defer { if let log { state.withLock { $0.log = log } } }
            let production = produce(old)
            guard let content = production.content else {
                guard let old else { preconditionFailure("a first edition needs content") }
                return old
            }
            let source = SourceViewState(production.snapshot.board.feed)
            if let old, old.envelope.source == source,
                old.content == content.coalescingTimes(of: old.content)
            {
                let kept = Edition(
                    of: production,
                    old.envelope,
                    SharedContent(old.content.updated(from: content)),
                    old.encoded,
                    byteCount: old.byteCount
                )
                state.withLock { $0.edition = kept }
                return kept
            }
            let recalled = old == nil ? recall(content, source, evicted) : nil
            let envelope =
                recalled?.envelope
                ?? DocumentEnvelope(
                    revision: makeRevision(),
                    asOf: production.snapshot.capturedAt,
                    source: source
                )
            let shared = SharedContent(content)
            var newLog: ChangeLog?
            if let old {
                newLog = continued(log.take(), from: old, to: content, envelope, production)
            }
            log = nil
            let edition = Edition(
                of: production,
                envelope,
                shared,
                encoded(shared, envelope, recalled?.json, newLog?.version),
                byteCount: content.estimatedByteCount
            )
            if let old { prepare?(old.encoded, edition.encoded) }
            state.withLock { state in
                state.log = newLog
                state.evicted = nil
                state.edition = edition
            }
            return edition
        }
    }

    /// The way to this edition, or to a newer one that another reader made meanwhile.
    func logged(_ edition: Edition) -> (log: ChangeLog, encoded: EncodedDocument) {
        making.withLock { _ in
            let (current, kept) = state.withLock { ($0.edition, $0.log) }
            if let current, let kept { return (kept, current.encoded) }
            let newest = current ?? edition
            let log = begun(with: newest)
            if current != nil { state.withLock { $0.log = log } }
            return (log, newest.encoded)
        }
    }

    /// The log that leads from an old edition, and those before it, to a new one.
    ///
    /// - Returns: nil without a log of the old edition if that is too old to begin one.
    private func continued(
        _ log: consuming ChangeLog?,
        from old: Edition,
        to content: Content,
        _ envelope: DocumentEnvelope,
        _ production: Production<Content>
    ) -> ChangeLog? {
        let age = production.snapshot.capturedAt.duration(since: old.comparedAt)
        let known = log.take()
        guard known != nil || age <= Self.resumeInterval else { return nil }
        var newLog = known ?? begun(with: old)
        let parts = content.parts(after: (old.content, newLog.version.state))
        _ = newLog.take(Content.version(envelope, parts))
        return newLog
    }

    private func begun(with edition: Edition) -> ChangeLog {
        let parts = edition.content.parts(after: nil)
        return ChangeLog(Content.version(edition.envelope, parts), bounds: logBounds)
    }

    /// The edition if it was compared with this snapshot or a newer one.
    func edition(notBefore sequence: UInt64) -> Edition? {
        state.withLock { state in
            guard let edition = state.edition, edition.sequence >= sequence else { return nil }
            return edition
        }
    }

    /// The encoded document if it was compared with this snapshot or a newer one.
    func encoded(notBefore sequence: UInt64) -> (document: EncodedDocument, sequence: UInt64)? {
        edition(notBefore: sequence).map { ($0.encoded, $0.sequence) }
    }

    /// The bytes of the edition and its log, by estimate; 0 without one.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// The size of the edition and its log, if it differs from the last one taken.
    func takeNewSize() -> Int? {
        state.withLock { state in
            let byteCount = state.byteCount
            guard byteCount > 0, byteCount != state.takenSize else { return nil }
            state.takenSize = byteCount
            return byteCount
        }
    }

    /// Drops the content, but for its revision and digest.
    func evict() {
        state.withLock { state in
            guard let edition = state.edition else { return }
            state = State(evicted: (edition.envelope, Self.digest(edition.encoded.json)))
        }
    }

    /// The envelope and JSON of an evicted content that is equal to this one.
    private func recall(
        _ content: Content,
        _ source: SourceViewState,
        _ evicted: (envelope: DocumentEnvelope, digest: Int)?
    ) -> (envelope: DocumentEnvelope, json: [UInt8])? {
        guard let evicted, evicted.envelope.source == source else { return nil }
        let json = content.encoded(evicted.envelope)
        return Self.digest(json) == evicted.digest ? (evicted.envelope, json) : nil
    }

    private func encoded(
        _ content: SharedContent<Content>,
        _ envelope: DocumentEnvelope,
        _ json: [UInt8]?,
        _ version: DocumentVersion?
    ) -> EncodedDocument {
        EncodedDocument(envelope.revision, key) {
            // Joining parts takes less time than encoding them again.
            json ?? version?.json ?? content.value.encoded(envelope)
        }
    }

    /// 64 bits, seeded per process: nobody can search for two documents with the same digest.
    private static func digest(_ json: [UInt8]) -> Int { json.hashValue }
}

/// A document that stays cached until this is released: its revisions follow each other without a
/// break, however many other documents are requested.
public final class PinnedDocument: Sendable {
    private let read: @Sendable () -> (log: ChangeLog, encoded: EncodedDocument)
    private let readByteCount: @Sendable () -> Int
    private let release: @Sendable () -> Void

    init<Content>(
        _ key: DocumentCacheKey,
        in cache: DocumentCache,
        edition: @escaping @Sendable (CachedDocument<Content>) -> CachedDocument<Content>.Edition
    ) {
        let entry: CachedDocument<Content> = cache.pin(key)
        read = {
            let newest = entry.logged(edition(entry))
            cache.updateSize(of: entry, key)
            return newest
        }
        readByteCount = { entry.byteCount }
        release = { cache.unpin(entry.key) }
    }

    deinit { release() }

    /// The document from the newest snapshot as bytes, and the way to it from earlier revisions,
    /// those of recent GETs included.
    public func current() -> (log: ChangeLog, encoded: EncodedDocument) { read() }

    /// The bytes of the document and its log, by estimate; 0 before it was read.
    public var byteCount: Int { readByteCount() }

    /// The document from the newest snapshot, in parts.
    public func version() -> DocumentVersion { read().log.version }
}
