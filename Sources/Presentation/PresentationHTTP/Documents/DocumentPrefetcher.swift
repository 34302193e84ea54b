import Domain
import HTTPServer
import UseCases
import ViewStates
import Synchronization

/// Documents that are ready to send: the same bytes for every reader of a revision.
///
/// While ``prepare()`` runs, a new cut counts only when those documents have been made of it that
/// were asked for since the one before: nobody waits for what many ask for. It counts earlier when
/// somebody has been given another document of it: whoever has seen a revision is given none of an
/// older one afterwards, in whatever words.
final class DocumentPrefetcher: Sendable {
    /// Documents that are kept; when full, all are forgotten and made again.
    static let documentsMax = 1_024
    /// The bytes of those documents together, in all the encodings that were asked for; when full,
    /// as above.
    static let bytesMax = 64 << 20
    /// After so many new documents all are counted anew: gzip comes after a document was put.
    static let recountInterval = 64
    /// Documents that are made before somebody asks for them; the others wait until then.
    static let preparedMax = 16

    /// A document, and the cut, or one before it, that it was made of.
    struct Standing {
        var document: EncodedDocument
        var sequence: UInt64
    }

    /// A document that is not kept yet.
    private struct Made {
        let revision: String
        let standing: Standing
    }

    private struct Kept {
        let revision: String
        var standing: Standing
        /// As it was last counted.
        var byteCount: Int
    }

    private struct Content {
        var kept: [DocumentQuery: Kept] = [:]
        var byteCount = 0
        /// What was asked since the last cut that counted.
        var asked: Set<DocumentQuery> = []
        /// Whether somebody makes documents of a cut that does not count yet.
        var preparation = Preparation.none
        /// Documents that were put since all were counted.
        private var uncounted = 0

        mutating func note(_ query: DocumentQuery) {
            if asked.count < DocumentPrefetcher.preparedMax { asked.insert(query) }
        }

        /// Keeps a document, but for one that says what the one that is kept does.
        mutating func keep(_ query: DocumentQuery, _ new: Made) -> EncodedDocument {
            if let old = kept[query], old.revision == new.revision {
                let known = max(old.standing.sequence, new.standing.sequence)
                kept[query]?.standing.sequence = known
                return old.standing.document
            }
            let document = new.standing.document
            put(
                query,
                Kept(
                    revision: new.revision,
                    standing: new.standing,
                    byteCount: document.byteCount
                )
            )
            return document
        }

        private mutating func put(_ query: DocumentQuery, _ new: Kept) {
            let old = kept.updateValue(new, forKey: query)
            byteCount += new.byteCount - (old?.byteCount ?? 0)
            uncounted += 1
            if uncounted >= DocumentPrefetcher.recountInterval { recount() }
            if kept.count > DocumentPrefetcher.documentsMax
                || byteCount > DocumentPrefetcher.bytesMax
            {
                kept.removeAll(keepingCapacity: true)
                kept[query] = new
                byteCount = new.byteCount
            }
        }

        private mutating func recount() {
            uncounted = 0
            for query in Array(kept.keys) {
                guard let document = kept[query] else { continue }
                let count = document.standing.document.byteCount
                byteCount += count - document.byteCount
                kept[query]?.byteCount = count
            }
        }
    }

    private enum Preparation {
        /// Each cut counts at once.
        case none
        /// The next cut is waited for.
        case awaiting
        case busy
    }

    private let documents: DocumentProducers
    private let latest: SnapshotPublisher
    private let content = Mutex(Content())
    private let newest: Atomic<UInt64>
    private let cuts: AsyncStream<Void>
    private let cutsInput: AsyncStream<Void>.Continuation

    init(documents: DocumentProducers, latest: SnapshotPublisher) {
        self.documents = documents
        self.latest = latest
        newest = Atomic(latest.sequence)
        (cuts, cutsInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        latest.onChange { [weak self] in self?.noteCut() }
    }

    /// The number of the cut from which questions are answered; it only grows.
    var sequence: UInt64 { newest.load(ordering: .acquiring) }

    /// Whether the next cut will be prepared for.
    var isAwaitingCut: Bool { content.withLock { $0.preparation == .awaiting } }

    /// How many documents are kept, and their bytes as they were last counted.
    var size: (documents: Int, bytes: Int) {
        content.withLock { ($0.kept.count, $0.byteCount) }
    }

    /// The answer to a question that was answered from this cut before; nil if it was not.
    func standing(_ query: DocumentQuery) -> Standing? {
        let sequence = sequence
        return content.withLock { content in
            guard let standing = content.kept[query]?.standing, standing.sequence >= sequence
            else { return nil }
            content.note(query)
            return standing
        }
    }

    /// The answer to a question, from the newest cut.
    func answer(_ query: DocumentQuery) -> EncodedDocument {
        content.withLock { $0.note(query) }
        return make(query)
    }

    /// Makes documents of each new cut before it counts, until the task is cancelled.
    func prepare() async {
        content.withLock { $0.preparation = .awaiting }
        for await _ in cuts {
            let asked = content.withLock { content in
                defer { content.asked.removeAll(keepingCapacity: true) }
                return content.asked
            }
            let made = asked.map { (query: $0, made: prepared($0)) }
            content.withLock { content in
                // All at once: none of them is seen before their cut counts.
                for (query, made) in made { _ = content.keep(query, made) }
                content.preparation = .awaiting
                count(latest.sequence)
            }
        }
        content.withLock { content in
            content.preparation = .none
            count(latest.sequence)
        }
    }

    /// Takes note of a new cut, on the thread that made it.
    private func noteCut() {
        let isPreparing = content.withLock { content in
            if content.preparation == .awaiting, !content.asked.isEmpty {
                content.preparation = .busy
                return true
            }
            // Also while those of the last cut are still being made: nothing lags behind more than
            // by the making of one cut.
            count(latest.sequence)
            return false
        }
        if isPreparing { cutsInput.yield() }
    }

    /// Has a cut count; called under the lock.
    private func count(_ sequence: UInt64) {
        if sequence > newest.load(ordering: .relaxed) {
            newest.store(sequence, ordering: .releasing)
        }
    }

    /// Makes a document anew in the encodings in which it was asked for.
    private func prepared(_ query: DocumentQuery) -> Made {
        let old = content.withLock { $0.kept[query] }
        let new = made(query)
        if let old, old.revision != new.revision, old.standing.document.isCompressed {
            _ = new.standing.document.body(.gzip)
        }
        return new
    }

    /// Makes a document of the newest cut, or takes the one that is kept if it says the same.
    private func make(_ query: DocumentQuery) -> EncodedDocument {
        let made = made(query)
        return content.withLock { content in
            // At the latest now: it may be of a cut that others are still being made of.
            count(latest.sequence)
            return content.keep(query, made)
        }
    }

    /// Makes a document of the newest cut.
    ///
    /// The tag holds the question beside the revision: two questions may have documents of one
    /// revision, and a tag of one must never pass for the other's. The hash is another in each
    /// process, as the revision's epoch is.
    private func made(_ query: DocumentQuery) -> Made {
        // Read first: a cut that comes in between has the question looked into again.
        let sequence = latest.sequence
        let (bytes, revision) = documents.bytes(query)
        let question = String(UInt(bitPattern: query.hashValue), radix: 36)
        let document = EncodedDocument(
            bytes: bytes,
            tag: revision + "." + question,
            cacheControl: EncodedDocument.publicCacheControl,
            isCompressible: true
        )
        return Made(
            revision: revision,
            standing: Standing(document: document, sequence: sequence)
        )
    }
}
