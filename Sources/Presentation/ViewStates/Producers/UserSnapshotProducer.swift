import Domain
import Synchronization
import UseCases

/// Makes documents of a user that hold several others, all of one cut of the market and one of what
/// is kept.
///
/// Rows of lists are those that all lists share: what a reader costs is what has changed.
final class UserSnapshotProducer: Sendable {
    /// Distinct questions that are remembered while nobody follows them; when full, the one asked
    /// longest ago is forgotten.
    static let queriesMax = 8
    /// The JSON of the documents that are remembered, by estimate; when full, as above.
    static let bytesMax = 2 << 20

    /// Makes the parts.
    struct Makers: Sendable {
        let marketList: MarketListProducer
        let marketDetail: MarketDetailPresenter
        let assets: AssetsPresenter
        let portfolio: @Sendable (BoardSnapshot, UserState) -> PortfolioViewState
    }

    private typealias Shelf = DocumentCache<UserSnapshotQuery, UserSnapshotContent, Void>

    private let makers: Makers
    private let latest: SnapshotPublisher
    private let personal: UserStatePublisher
    private let shelf: Mutex<Shelf>

    /// Makes a cutter.
    ///
    /// - Parameters:
    ///   - makers: of the same cuts.
    ///   - latest: where boards come from: the same as the list's.
    ///   - personal: where what is kept comes from; always of the same user.
    ///   - epoch: the first part of every revision; for each user another.
    ///   - counter: the second part; the same for all documents of the process.
    init(
        _ makers: Makers,
        latest: SnapshotPublisher,
        personal: UserStatePublisher,
        epoch: String,
        counter: RevisionCounter
    ) {
        self.makers = makers
        self.latest = latest
        self.personal = personal
        shelf = Mutex(
            Shelf(
                epoch: epoch,
                counter: counter,
                bounds: .init(
                    queriesMax: Self.queriesMax,
                    weightMax: Self.bytesMax,
                    weight: { $0.estimatedJSONSize }
                )
            )
        )
    }

    /// The document of a query as JSON; composed once for each revision.
    func bytes(_ query: UserSnapshotQuery) -> (bytes: [UInt8], revision: String) {
        entry(query, .query(query), .bytes).encoded
    }

    /// Follows the document of a query: its revisions are those that ``bytes(_:)`` tells.
    func follow(_ query: UserSnapshotQuery) -> PinnedDocument {
        let place = shelf.withLock { $0.pin(query) }
        return PinnedDocument(
            read: { self.entry(query, .pin(place), .pieces).version },
            letGo: { self.shelf.withLock { $0.unpin(place) } }
        )
    }

    private func entry(
        _ query: UserSnapshotQuery,
        _ place: Shelf.Place,
        _ want: Shelf.Want
    ) -> Shelf.Entry {
        shelf.withLock { shelf in
            // The list decides which cuts these are: its order may only go forward.
            let list = query.market.marketList.map { makers.marketList.reading($0) }
            let cut = list?.cut ?? latest.value
            let kept = list?.kept ?? personal.value
            let moment = Shelf.Moment(cut: cut, personalSequence: kept.sequence)
            return shelf.entry(place, moment, want) { _ in
                let content = UserSnapshotContent(
                    marketList: list?.content,
                    others: SnapshotViewState(
                        marketList: nil,
                        marketDetail: query.market.marketDetail.map {
                            makers.marketDetail.detail(cut, $0)
                        },
                        assets: query.market.assets.map {
                            makers.assets.present(cut, query: $0)
                        },
                        portfolio: query.portfolio.map { _ in makers.portfolio(cut, kept) }
                    )
                )
                return (content, ())
            }
        }
    }
}

/// Several documents as a shelf keeps them: the rows of the list are shared with all other lists.
struct UserSnapshotContent: DocumentContent {
    static var schemaName: String { SnapshotViewState.schemaName }
    static var schemaVersion: Int { SnapshotViewState.schemaVersion }

    let marketList: MarketListContent?
    /// All but the list.
    let others: SnapshotViewState

    /// About a thousand bytes a row of the list.
    var estimatedJSONSize: Int {
        (marketList?.rows.count ?? 0) * 1_024 + others.estimatedJSONSize
    }

    func coalescingTimes(of old: Self) -> Self {
        var others = others
        others.coalesceTimes(of: old.others)
        // The list is its own document's content, which holds its times already.
        return Self(marketList: marketList, others: others)
    }

    func pieces(after old: (content: Self, pieces: DocumentParts)?) -> DocumentParts {
        var writer = PartWriter(after: old?.pieces)
        if let marketList {
            let name = MarketListViewState.schemaName
            writer.part(name, marketList, old?.content.marketList) {
                $1.write(to: &$0, after: $2)
            }
        }
        others.write(to: &writer, after: old?.content.others)
        return writer.document
    }

    /// Composed of pieces: nothing is encoded twice.
    func json(_ envelope: DocumentEnvelope) -> [UInt8]? { nil }
}
