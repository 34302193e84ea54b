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

/// The newest edition of one document.
final class CachedDocument<Content: DocumentContent>: Sendable {
    /// A revision, and the snapshots that still have the same content.
    struct Edition: Sendable {
        /// The newest snapshot it was compared with.
        fileprivate(set) var sequence: UInt64
        fileprivate(set) var userSequence: UInt64
        let envelope: DocumentEnvelope
        fileprivate(set) var content: Content
        let encoded: EncodedDocument

        /// Whether the document was compared with these snapshots.
        func isOf(_ snapshot: BoardSnapshot, userSequence: UInt64 = 0) -> Bool {
            sequence == snapshot.sequence && self.userSequence == userSequence
        }
    }

    private struct State {
        var edition: Edition?
        /// Of the edition, once a stream asked for them.
        var parts: DocumentParts?
        /// The last content that was divided, until the edition is.
        var divided: (content: Content, parts: DocumentParts)?
        /// The revision of an evicted content, and the digest of its JSON.
        var evicted: (envelope: DocumentEnvelope, digest: Int)?
    }

    private let key: DocumentCacheKey
    /// Held while an edition is made; readers of the last one do not wait.
    private let making = Mutex(())
    private let state = Mutex(State())

    init(_ key: DocumentCacheKey) {
        self.key = key
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
            let source = SourceViewState(production.snapshot.board.feed.kind)
            if var kept = old, kept.envelope.source == source,
                kept.content == content.coalescingTimes(of: kept.content)
            {
                kept.content = kept.content.updated(from: content)
                kept.sequence = production.snapshot.sequence
                kept.userSequence = production.userSequence
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
            let edition = Edition(
                sequence: production.snapshot.sequence,
                userSequence: production.userSequence,
                envelope: envelope,
                content: content,
                encoded: encoded(content, envelope, recalled?.json)
            )
            if let old { prepare?(old.encoded, edition.encoded) }
            state.withLock { state in
                if let parts = state.parts, let old { state.divided = (old.content, parts) }
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
            let made = parts ?? edition.content.parts(after: divided)
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
        _ content: Content,
        _ envelope: DocumentEnvelope,
        _ json: [UInt8]?
    ) -> EncodedDocument {
        let revision = envelope.revision.text
        let keyHash = String(UInt(bitPattern: key.hashValue), radix: 36)
        return EncodedDocument(revision: revision, tag: "\(revision).\(keyHash)") {
            json ?? content.encoded(envelope)
        }
    }

    /// 64 bits, seeded per process: nobody can search for two documents with the same digest.
    private static func digest(_ json: [UInt8]) -> Int { json.hashValue }
}

/// A document that stays cached until this is released: its revisions follow each other without a
/// break, however many other documents are requested.
public final class PinnedDocument: Sendable {
    private let read: @Sendable () -> (version: DocumentVersion, encoded: EncodedDocument)
    private let release: @Sendable () -> Void

    init<Content>(
        _ key: DocumentCacheKey,
        in cache: DocumentCache,
        edition: @escaping @Sendable () -> CachedDocument<Content>.Edition
    ) {
        let entry: CachedDocument<Content> = cache.pin(key)
        read = {
            let edition = edition()
            return (entry.version(edition), edition.encoded)
        }
        release = {
            cache.unpin(key)
            entry.releaseParts()
        }
    }

    deinit { release() }

    /// The document from the newest snapshot, in parts and as bytes; the revision that a GET has.
    public func current() -> (version: DocumentVersion, encoded: EncodedDocument) { read() }

    /// The document from the newest snapshot, in parts.
    public func version() -> DocumentVersion { read().version }
}
