public import Domain
import Synchronization
public import UseCases

/// Makes market-list documents from the newest cut, and gives them revisions.
///
/// For each query it keeps the last document, so that a revision changes exactly when the content
/// does, and the order, which is recut at most every two seconds and when the favourites change.
/// Rows are shared with the other cutters of the same ``SharedMarketRows``.
public final class MarketListProducer: Sendable {
    /// How long an order stands at least.
    public static let orderInterval: Duration = .seconds(2)
    /// Distinct queries that are remembered; when full, the one asked longest ago is forgotten.
    ///
    /// ``EvictedRevisions`` let it keep its revision for as long as its content stays.
    public static let queriesMax = 256
    /// Rows that are remembered over all queries, some fifty whole lists; when full, as above.
    public static let rowsMax = 25_000

    private struct Order {
        let list: ListMarkets.Result
        let capturedAt: Timestamp
        /// How many markets the board had: other markets make another order at once.
        let marketCount: Int
        /// The favourites: others make another order at once.
        let favorites: Revised<[MarketID]>?
        /// The places of the favourites, from 1.
        let positions: [MarketID: Int]?
        /// Where the shown markets stand among the shared rows of that generation.
        let places: [Int]
        let generation: Int
    }

    private typealias Shelf = DocumentCache<MarketListQuery, MarketListContent, Order>

    /// What lists are made of.
    public let rows: SharedMarketRows
    private let personal: UserStatePublisher?
    private let shelf: Mutex<Shelf>

    /// Makes a cutter of lists that are the same for everybody.
    ///
    /// - Parameters:
    ///   - presenter: makes view states.
    ///   - latest: where boards come from.
    ///   - personal: whose lists they are; nil for lists that are the same for everybody.
    ///   - epoch: the first part of every revision, new at each start of the process.
    public convenience init(
        presenter: MarketListPresenter,
        latest: SnapshotPublisher,
        personal: UserStatePublisher? = nil,
        epoch: String
    ) {
        self.init(
            rows: SharedMarketRows(presenter: presenter, latest: latest),
            personal: personal,
            epoch: epoch
        )
    }

    /// Makes a cutter of lists whose rows others show, too.
    ///
    /// - Parameters:
    ///   - rows: the rows.
    ///   - personal: whose lists they are; nil for lists that are the same for everybody.
    ///   - epoch: the first part of every revision; for each user another.
    public init(rows: SharedMarketRows, personal: UserStatePublisher?, epoch: String) {
        self.rows = rows
        self.personal = personal
        shelf = Mutex(
            Shelf(
                epoch: epoch,
                counter: rows.counter,
                bounds: .init(
                    queriesMax: Self.queriesMax,
                    weightMax: Self.rowsMax,
                    weight: { $0.rows.count }
                )
            )
        )
    }

    /// The document of a query from the newest cut.
    public func document(_ query: MarketListQuery) -> MarketListDocument {
        let entry = entry(query, .query(query), .nothing).entry
        return MarketListDocument(
            revision: entry.envelope.revision.text,
            asOf: entry.envelope.asOf,
            source: entry.envelope.source,
            state: entry.content.state
        )
    }

    /// The same document as JSON; composed once for each revision.
    public func bytes(_ query: MarketListQuery) -> (bytes: [UInt8], revision: String) {
        entry(query, .query(query), .bytes).entry.encoded
    }

    /// Follows the document of a query: its revisions are those that ``bytes(_:)`` tells.
    public func follow(_ query: MarketListQuery) -> PinnedDocument {
        let place = shelf.withLock { $0.pin(query) }
        return PinnedDocument(
            read: { self.entry(query, .pin(place), .pieces).entry.version },
            letGo: { self.shelf.withLock { $0.unpin(place) } }
        )
    }

    /// Places by popularity, recut at most every two seconds.
    public func ranks(_ cut: BoardSnapshot) -> PopularityRanks { rows.ranks(cut) }

    /// What the document of a query says, and the cut it says it of.
    func content(_ query: MarketListQuery) -> (state: MarketListViewState, cut: BoardSnapshot) {
        let reading = reading(query)
        return (reading.content.state, reading.cut)
    }

    /// What the document of a query says, with the rows that it shares, and the cuts it says it of.
    func reading(
        _ query: MarketListQuery
    ) -> (content: MarketListContent, cut: BoardSnapshot, kept: UserState?) {
        let (entry, cut, kept) = entry(query, .query(query), .nothing)
        return (entry.content, cut, kept)
    }

    /// How many documents are kept, those that are followed apart.
    var count: Int { shelf.withLock { $0.count } }

    private func entry(
        _ query: MarketListQuery,
        _ place: Shelf.Place,
        _ want: Shelf.Want
    ) -> (entry: Shelf.Entry, cut: BoardSnapshot, kept: UserState?) {
        shelf.withLock { shelf in
            rows.read(query) { table, reading in
                let cut = reading.cut
                let kept = personal?.value
                let moment = Shelf.Moment(cut: cut, personalSequence: kept?.sequence ?? 0)
                let entry = shelf.entry(place, moment, want) { standing in
                    let order = order(query, reading, kept?.record.favorites, standing, &table)
                    let content = MarketListContent(
                        head: rows.presenter.head(
                            cut,
                            query: query,
                            list: order.list,
                            positions: order.positions,
                            visibility: kept?.status.visibility ?? .shown
                        ),
                        rows: present(reading, query, order, &table)
                    )
                    return (content, order)
                }
                return (entry, cut, kept)
            }
        }
    }

    /// The order in force, or a new one where that is due or other markets are there.
    private func order(
        _ query: MarketListQuery,
        _ reading: SharedMarketRows.Reading,
        _ favorites: Revised<[MarketID]>?,
        _ standing: Order?,
        _ table: inout MarketRowTable
    ) -> Order {
        let cut = reading.cut
        if let standing, standing.marketCount == reading.marketCount,
            standing.favorites == favorites,
            standing.generation == table.generation,
            !cut.capturedAt.isAtLeast(Self.orderInterval, after: standing.capturedAt)
        {
            return standing
        }
        let list = query.listMarkets(favorites: favorites?.value ?? [])(
            cut.board,
            names: cut.board.names(else: rows.presenter.names),
            now: cut.capturedAt
        )
        let places = table.places(of: query.shown(of: list.order))
        return Order(
            list: list,
            capturedAt: cut.capturedAt,
            marketCount: reading.marketCount,
            favorites: favorites,
            positions: favorites.map {
                Dictionary(zip($0.value, 1...), uniquingKeysWith: { first, _ in first })
            },
            places: places,
            generation: table.generation
        )
    }

    /// The rows of the order at the present cut.
    private func present(
        _ reading: SharedMarketRows.Reading,
        _ query: MarketListQuery,
        _ order: Order,
        _ table: inout MarketRowTable
    ) -> [MarketListContent.Row] {
        let (cut, ranks) = (reading.cut, reading.ranks)
        // Made for the first row that no other list of this cut has shown.
        var presenter: MarketRowPresenter?
        var shown: [MarketListContent.Row] = []
        shown.reserveCapacity(order.places.count)
        for (id, place) in zip(query.shown(of: order.list.order), order.places) {
            let row = table.row(place, cut.sequence) { id in
                let rowPresenter = presenter ?? rows.presenter.rowPresenter(cut, query)
                presenter = rowPresenter
                return cut.board.market(id).map { rowPresenter.present($0, rank: ranks[id]) }
            }
            guard let row = row ?? missingRow(id, cut, query, ranks) else { continue }
            shown.append(
                .init(
                    row: row,
                    favorite: order.positions.map { FavoriteViewState(position: $0[id]) }
                )
            )
        }
        return shown
    }

    /// The row of a favourite that the board does not have, which is no other list's.
    private func missingRow(
        _ id: MarketID,
        _ cut: BoardSnapshot,
        _ query: MarketListQuery,
        _ ranks: PopularityRanks
    ) -> MarketRow? {
        guard query.tab == .favorites,
            let market = cut.board.marketOrPlaceholder(id, now: cut.capturedAt)
        else { return nil }
        return MarketRow(
            rows.presenter.rowPresenter(cut, query).present(market, rank: ranks[id])
        )
    }
}

extension Timestamp {
    /// Whether at least so much time has passed since another moment of the same wall clock.
    ///
    /// A clock that was set back counts as passed: else what is timed by it would stand still
    /// until the clock has caught up.
    public func isAtLeast(_ interval: Duration, after earlier: Timestamp) -> Bool {
        let passed = duration(since: earlier)
        return passed >= interval || passed < .zero
    }
}
