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
        /// Of the edition, once a stream asked for them.
        var parts: DocumentParts?
        /// The last edition that was divided, until the newest is.
        var divided: (edition: Edition, parts: DocumentParts)?
        /// The revision of an evicted content, and the digest of its JSON.
        var evicted: (envelope: DocumentEnvelope, digest: Int)?
        /// The size that ``takeNewSize()`` returned last.
        var takenSize = 0
    }

    let key: DocumentCacheKey
    /// A part of every tag.
    private let keyHash: String
    /// Held while an edition is made; readers of the last one do not wait.
    private let making = Mutex(())
    private let state = Mutex(State())

    init(_ key: DocumentCacheKey) {
        self.key = key
        keyHash = String(UInt(bitPattern: key.hashValue), radix: 36)
    }

    /// Compares the document with the newest snapshot; makes a new revision if the content changed.
    func update(
        makeRevision: () -> DocumentRevision,
        prepare: EncodedDocument.Preparation?,
        produce: (Edition?) -> Production<Content>
    ) -> Edition {
        making.withLock { _ in
            let (old, evicted) = state.withLock { ($0.edition, $0.evicted) }
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
            let edition = Edition(
                of: production,
                envelope,
                shared,
                encoded(shared, envelope, recalled?.json),
                byteCount: content.estimatedByteCount
            )
            if let old { prepare?(old.encoded, edition.encoded) }
            state.withLock { state in
                if let parts = state.parts, let old { state.divided = (old, parts) }
                state.parts = nil
                state.evicted = nil
                state.edition = edition
            }
            return edition
        }
    }

    /// An edition in parts, which are shared with those of the edition before.
    func version(_ edition: Edition) -> DocumentVersion {
        making.withLock { _ in
            let (current, parts, divided) = state.withLock { ($0.edition, $0.parts, $0.divided) }
            guard current?.encoded === edition.encoded else {
                return edition.content.version(
                    edition.envelope,
                    edition.content.parts(after: nil)
                )
            }
            let old = divided.map { ($0.edition.content, $0.parts) }
            let made = parts ?? edition.content.parts(after: old)
            state.withLock { state in
                state.parts = made
                state.divided = nil
            }
            return edition.content.version(edition.envelope, made)
        }
    }

    /// The encoded document if it was compared with this snapshot or a newer one.
    func encoded(notBefore sequence: UInt64) -> (document: EncodedDocument, sequence: UInt64)? {
        state.withLock { state in
            guard let edition = state.edition, edition.sequence >= sequence else { return nil }
            return (edition.encoded, edition.sequence)
        }
    }

    /// The size of the newest edition and its parts, by estimate; 0 without one.
    var byteCount: Int {
        state.withLock { state in
            guard let edition = state.edition else { return 0 }
            // Parts hold the JSON once more, with an identity for each row.
            return edition.byteCount + (state.parts.map { $0.byteCount * 2 } ?? 0)
        }
    }

    /// The size of the edition, if it differs from the last one taken.
    func takeNewSize() -> Int? {
        state.withLock { state in
            guard let byteCount = state.edition?.byteCount, byteCount != state.takenSize else {
                return nil
            }
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

    /// Drops the parts that no stream needs any more.
    func releaseParts() {
        state.withLock { state in
            state.parts = nil
            state.divided = nil
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

    /// The tag holds a hash of the cache key beside the revision, so that two keys do not share
    /// tags.
    ///
    /// Hashes are seeded per process, as the epoch of a revision is.
    private func encoded(
        _ content: SharedContent<Content>,
        _ envelope: DocumentEnvelope,
        _ json: [UInt8]?
    ) -> EncodedDocument {
        let revision = envelope.revision.text
        return EncodedDocument(revision: revision, tag: "\(revision).\(keyHash)") {
            json ?? content.value.encoded(envelope)
        }
    }

    /// 64 bits, seeded per process: nobody can search for two documents with the same digest.
    private static func digest(_ json: [UInt8]) -> Int { json.hashValue }
}

/// A document that stays cached until this is released: its revisions follow each other without a
/// break, however many other documents are requested.
public final class PinnedDocument: Sendable {
    private let read: @Sendable () -> (version: DocumentVersion, encoded: EncodedDocument)
    private let readByteCount: @Sendable () -> Int
    private let setEviction: @Sendable ((@Sendable () -> Void)?) -> Void
    private let release: @Sendable () -> Void

    init<Content>(
        _ key: DocumentCacheKey,
        in cache: DocumentCache,
        edition: @escaping @Sendable (CachedDocument<Content>) -> CachedDocument<Content>.Edition
    ) {
        let entry: CachedDocument<Content> = cache.pin(key)
        read = {
            let edition = edition(entry)
            return (entry.version(edition), edition.encoded)
        }
        readByteCount = { entry.byteCount }
        setEviction = { cache.setEviction(of: entry.key, $0) }
        release = {
            cache.unpin(entry.key)
            entry.releaseParts()
        }
    }

    deinit { release() }

    /// The document from the newest snapshot, in parts and as bytes; the revision that a GET has.
    public func current() -> (version: DocumentVersion, encoded: EncodedDocument) { read() }

    /// The document from the newest snapshot, in parts.
    public func version() -> DocumentVersion { read().version }

    /// The bytes of the document and its parts, by estimate; 0 before it was read.
    public var byteCount: Int { readByteCount() }

    /// Counts the document within the cache's budget from now on.
    ///
    /// - Parameter evict: called once, on any thread and with locks held, when the budget has no
    ///   room for it; its owner then releases it soon.
    public func allowEviction(_ evict: @escaping @Sendable () -> Void) { setEviction(evict) }

    /// Keeps the document again, whatever the budget.
    public func forbidEviction() { setEviction(nil) }
}
