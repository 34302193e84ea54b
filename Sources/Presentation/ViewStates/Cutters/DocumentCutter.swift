import Domain
import Synchronization

/// Makes documents of one kind from the newest cut, and gives them revisions.
///
/// For each query it keeps the last document, so that a revision changes exactly when the content
/// does, and so that it is encoded once, whoever asks.
public final class DocumentCutter<Query: Hashable & Sendable, State: DocumentState>: Sendable {
    /// Distinct queries that are remembered; when full, the one asked longest ago is forgotten and
    /// its next document starts with a new revision.
    public static var queriesMax: Int { 256 }
    /// The JSON of the documents that are remembered, by estimate: some twenty of the longest
    /// charts; when full, as above.
    public static var bytesMax: Int { 32 << 20 }

    /// The cut that a document is made of, and how.
    struct Making {
        let cut: BoardCut
        /// Of the cut of what is personal; 0 where nothing personal is shown.
        var personalSequence: UInt64 = 0
        let make: () -> State
    }

    private typealias Shelf = DocumentShelf<Query, State, Void>

    private let read: @Sendable (Query) -> Making
    private let shelf: Mutex<Shelf>

    /// Makes a cutter.
    ///
    /// - Parameters:
    ///   - epoch: the first part of every revision, new at each start of the process.
    ///   - read: takes the newest cut; its content is made only if the cut is a new one.
    init(epoch: String, read: @escaping @Sendable (Query) -> Making) {
        self.read = read
        shelf = Mutex(
            Shelf(
                epoch: epoch,
                bounds: .init(
                    queriesMax: Self.queriesMax,
                    weightMax: Self.bytesMax,
                    weight: { $0.jsonBytesEstimate }
                )
            )
        )
    }

    /// Makes a cutter whose documents are made of the newest cut and nothing else.
    convenience init(
        epoch: String,
        latest: LatestCut,
        present: @escaping @Sendable (BoardCut, Query) -> State
    ) {
        self.init(epoch: epoch) { query in
            let cut = latest.value
            return Making(cut: cut) { present(cut, query) }
        }
    }

    /// The document of a query from the newest cut.
    public func document(_ query: Query) -> Document<State> {
        entry(query, isEncoded: false).document
    }

    /// The same document as JSON; encoded once for each revision.
    public func bytes(_ query: Query) -> (bytes: [UInt8], revision: String) {
        entry(query, isEncoded: true).encoded
    }

    private func entry(_ query: Query, isEncoded: Bool) -> Shelf.Entry {
        shelf.withLock { shelf in
            // Read under the lock: no thread may put an older cut behind a newer one.
            let making = read(query)
            return shelf.entry(
                query,
                making.cut,
                personalSequence: making.personalSequence,
                isEncoded: isEncoded
            ) { _ in
                (making.make(), ())
            }
        }
    }
}
