import Domain
import UseCases

/// Makes documents of one kind from the newest snapshot; ``DocumentCache`` gives them revisions.
public final class DocumentProducer<Query: Hashable & Sendable, State: StreamedState>: Sendable {
    /// The snapshots that a document is made of, and how.
    struct Source {
        let snapshot: BoardSnapshot
        /// The sequence of the user's state; 0 for a document that shows none.
        var userSequence: UInt64 = 0
        let makeState: () -> State
    }

    private typealias Entry = CachedDocument<StateContent<State>>

    private let cache: DocumentCache
    private let epoch: String
    private let cacheKey: @Sendable (Query) -> DocumentCacheKey
    private let read: @Sendable (Query) -> Source

    /// Makes a producer.
    ///
    /// - Parameters:
    ///   - cache: keeps the documents.
    ///   - epoch: the first part of every revision, new at each start of the process.
    ///   - cacheKey: the cache key of a query.
    ///   - read: reads the newest snapshot; its state is made only for a snapshot not seen before.
    init(
        cache: DocumentCache,
        epoch: String,
        cacheKey: @escaping @Sendable (Query) -> DocumentCacheKey,
        read: @escaping @Sendable (Query) -> Source
    ) {
        self.cache = cache
        self.epoch = epoch
        self.cacheKey = cacheKey
        self.read = read
    }

    /// The document of a query from the newest snapshot.
    public func document(_ query: Query) -> Document<State> {
        let edition = edition(query, of: cache.entry(cacheKey(query)))
        return edition.content.document(edition.envelope)
    }

    /// The same document as JSON, and its revision.
    public func bytes(_ query: Query) -> (bytes: [UInt8], revision: String) {
        let document = encoded(query).document
        return (document.json, document.revision)
    }

    /// The document of a query, kept in the cache until the result is released.
    public func follow(_ query: Query) -> PinnedDocument {
        PinnedDocument(cacheKey(query), in: cache) { self.edition(query, of: $0) }
    }

    /// The encoded document of a query, and the snapshot it was compared with.
    func encoded(
        _ query: Query,
        prepare: EncodedDocument.Preparation? = nil
    ) -> (document: EncodedDocument, sequence: UInt64) {
        let edition = edition(query, of: cache.entry(cacheKey(query)), prepare: prepare)
        return (edition.encoded, edition.sequence)
    }

    private func edition(
        _ query: Query,
        of entry: Entry,
        prepare: EncodedDocument.Preparation? = nil
    ) -> Entry.Edition {
        cache.edition(of: entry, epoch: epoch, prepare: prepare) { old in
            let source = read(query)
            let isSame = old?.isOf(source.snapshot, userSequence: source.userSequence) ?? false
            return Production(
                snapshot: source.snapshot,
                userSequence: source.userSequence,
                content: isSame ? nil : StateContent(state: source.makeState())
            )
        }
    }
}
