import Compression
import Concurrency
import Domain
import UseCases
import ViewStates
import Synchronization

/// Serves public documents, and makes the requested ones of each new snapshot ahead of their
/// readers.
///
/// While ``run()`` runs, a new snapshot is served once the documents requested since the one before
/// were made of it, so that event loops rarely make a document. It is served earlier when a reader
/// needs a document that was not requested before. Readers never get an older snapshot after a
/// newer one, whatever they request.
final class DocumentPrefetcher: Sendable {
    /// Documents made ahead per snapshot; the others are made on request.
    static let prefetchedMax = 16
    /// Dearer documents are made on request: all readers of a snapshot wait for those made ahead.
    static let unitsMax = 8

    private enum Phase {
        /// ``run()`` does not run: each snapshot is served at once.
        case stopped
        /// Waits for the next snapshot.
        case idle
        /// Makes documents of a snapshot that is not served yet.
        case busy
    }

    private struct State {
        /// Queries since the last snapshot that was served.
        var requested: Set<DocumentQuery> = []
        var phase = Phase.stopped

        mutating func note(_ query: DocumentQuery) {
            guard requested.count < DocumentPrefetcher.prefetchedMax,
                RequestCost(query, isGzip: true).units <= DocumentPrefetcher.unitsMax
            else { return }
            requested.insert(query)
        }
    }

    private let documents: DocumentProducers
    private let latest: SnapshotPublisher
    private let state = Mutex(State())
    /// The sequence of the snapshot from which documents are served; it only grows.
    private let served: Atomic<UInt64>
    /// Signaled when a snapshot waits to be prefetched.
    private let isSnapshotDue = AsyncEvent()

    init(documents: DocumentProducers, latest: SnapshotPublisher) {
        self.documents = documents
        self.latest = latest
        served = Atomic(latest.sequence)
        latest.onChange { [weak self] in self?.noteSnapshot() }
    }

    /// The sequence of the snapshot from which documents are served.
    var sequence: UInt64 { served.load(ordering: .acquiring) }

    /// Whether the next snapshot will be prefetched.
    var isIdle: Bool { state.withLock { $0.phase == .idle } }

    /// The document of a query if it is made of the served snapshot already; never makes one.
    func cached(_ query: DocumentQuery) -> EncodedDocument? {
        guard let (document, sequence) = documents.cached(query, notBefore: sequence) else {
            return nil
        }
        state.withLock { $0.note(query) }
        serve(sequence)
        return document
    }

    /// The page of a list's revision; nil if that is not available.
    func page(_ query: MarketListQuery) -> EncodedDocument? { documents.marketList.page(query) }

    /// The document of a query from the newest snapshot.
    func document(_ query: DocumentQuery) -> EncodedDocument {
        state.withLock { $0.note(query) }
        let (document, sequence) = documents.encoded(query)
        serve(sequence)
        return document
    }

    /// Prefetches documents of each new snapshot until the task is cancelled.
    func run() async {
        state.withLock { $0.phase = .idle }
        while await isSnapshotDue.wait() {
            let queries = state.withLock { state in
                defer { state.requested.removeAll(keepingCapacity: true) }
                return state.requested
            }
            let sequence = latest.sequence
            for query in queries {
                _ = documents.encoded(query) { old, new in
                    if old.cached(.gzip) != nil { _ = new.gzip(Gzip.compressedDocument) }
                }
            }
            state.withLock { $0.phase = .idle }
            serve(sequence)
        }
        state.withLock { $0.phase = .stopped }
        serve(latest.sequence)
    }

    /// Handles a new snapshot, on the thread that publishes it.
    private func noteSnapshot() {
        let isPrefetching = state.withLock { state in
            guard state.phase == .idle, !state.requested.isEmpty else { return false }
            state.phase = .busy
            return true
        }
        // A snapshot that arrives while the last one is prefetched is served at once: readers are
        // never more than one snapshot behind.
        if isPrefetching { isSnapshotDue.signal() } else { serve(latest.sequence) }
    }

    private func serve(_ sequence: UInt64) {
        served.max(sequence, ordering: .acquiringAndReleasing)
    }
}

extension Gzip {
    /// Level 6 takes two milliseconds for a list of all markets, and makes it a sixth smaller than
    /// the quickest level; a document lives for a tenth of a second.
    private static let documentLevel = 6

    /// Compresses a document.
    static func compressedDocument(_ json: [UInt8]) -> [UInt8] {
        compressed(json, level: documentLevel)
    }
}
