import Domain
import Synchronization
import UseCases

/// Makes documents of one kind from the newest cut, and gives them revisions.
///
/// For each query it keeps the last document, so that a revision changes exactly when the content
/// does, and so that it is encoded once, whoever asks.
public final class DocumentProducer<Query: Hashable & Sendable, State: StreamedState>: Sendable {
    /// Distinct queries that are remembered; when full, the one asked longest ago is forgotten.
    ///
    /// ``EvictedRevisions`` let it keep its revision for as long as its content stays.
    public static var queriesMax: Int { 256 }
    /// The JSON of the documents that are remembered, by estimate: a dozen of the longest charts,
    /// whose view states take several times as much; when full, as above.
    public static var bytesMax: Int { 8 << 20 }

    /// The cut that a document is made of, and how.
    struct Making {
        let cut: BoardSnapshot
        /// Of the cut of what is personal; 0 where nothing personal is shown.
        var personalSequence: UInt64 = 0
        let make: () -> State
    }

    private typealias Shelf = DocumentCache<Query, StateContent<State>, Void>

    private let read: @Sendable (Query) -> Making
    private let shelf: Mutex<Shelf>

    /// Makes a cutter.
    ///
    /// - Parameters:
    ///   - epoch: the first part of every revision, new at each start of the process.
    ///   - counter: the second part; the same for all cutters of the epoch.
    ///   - read: takes the newest cut; its content is made only if the cut is a new one.
    init(
        epoch: String,
        counter: RevisionCounter,
        read: @escaping @Sendable (Query) -> Making
    ) {
        self.read = read
        shelf = Mutex(
            Shelf(
                epoch: epoch,
                counter: counter,
                bounds: .init(
                    queriesMax: Self.queriesMax,
                    weightMax: Self.bytesMax,
                    weight: { $0.state.estimatedJSONSize }
                )
            )
        )
    }

    /// Makes a cutter whose documents are made of the newest cut and nothing else.
    convenience init(
        epoch: String,
        counter: RevisionCounter,
        latest: SnapshotPublisher,
        present: @escaping @Sendable (BoardSnapshot, Query) -> State
    ) {
        self.init(epoch: epoch, counter: counter) { query in
            let cut = latest.value
            return Making(cut: cut) { present(cut, query) }
        }
    }

    /// The document of a query from the newest cut.
    public func document(_ query: Query) -> Document<State> {
        let entry = entry(query, .query(query), .nothing)
        return entry.content.document(entry.envelope)
    }

    /// The same document as JSON; encoded once for each revision.
    public func bytes(_ query: Query) -> (bytes: [UInt8], revision: String) {
        entry(query, .query(query), .bytes).encoded
    }

    /// Follows the document of a query: its revisions are those that ``bytes(_:)`` tells.
    public func follow(_ query: Query) -> PinnedDocument {
        let place = shelf.withLock { $0.pin(query) }
        return PinnedDocument(
            read: { self.entry(query, .pin(place), .pieces).version },
            letGo: { self.shelf.withLock { $0.unpin(place) } }
        )
    }

    /// How many documents are kept, those that are followed apart.
    var count: Int { shelf.withLock { $0.count } }

    private func entry(
        _ query: Query,
        _ place: Shelf.Place,
        _ want: Shelf.Want
    ) -> Shelf.Entry {
        shelf.withLock { shelf in
            // Read under the lock: no thread may put an older cut behind a newer one.
            let making = read(query)
            let moment = Shelf.Moment(
                cut: making.cut,
                personalSequence: making.personalSequence
            )
            return shelf.entry(place, moment, want) { _ in
                (StateContent(state: making.make()), ())
            }
        }
    }
}
