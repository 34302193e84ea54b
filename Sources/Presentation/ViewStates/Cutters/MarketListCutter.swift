public import Domain
import Synchronization

/// Makes market-list documents from the newest cut, and gives them revisions.
///
/// For each query it keeps the last document, so that a revision changes exactly when the content
/// does, and the order, which is recut at most every two seconds and when the favourites change.
public final class MarketListCutter: Sendable {
    /// How long an order stands at least.
    public static let orderInterval: Duration = .seconds(2)
    /// Distinct queries that are remembered; when full, the one asked longest ago is forgotten and
    /// its next document starts with a new revision.
    public static let queriesMax = 256
    /// Rows that are remembered over all queries, some fifty whole lists; when full, as above.
    public static let rowsMax = 25_000

    private struct Order {
        let list: ListMarkets.Result
        let cutAt: Timestamp
        /// How many markets the board had: other markets make another order at once.
        let marketCount: Int
        /// Of the favourites: others make another order at once.
        let favoritesRevision: Int64?
    }

    private typealias Shelf = DocumentShelf<MarketListQuery, MarketListViewState, Order>

    private struct State {
        var shelf: Shelf
        var ranks: (value: PopularityRanks, at: Timestamp, marketCount: Int)?
    }

    private let presenter: MarketListPresenter
    private let latest: LatestCut
    private let personal: LatestPersonal?
    private let state: Mutex<State>

    /// Makes a cutter.
    ///
    /// - Parameters:
    ///   - presenter: makes view states.
    ///   - latest: where boards come from.
    ///   - personal: whose lists they are; nil for lists that are the same for everybody.
    ///   - epoch: the first part of every revision, new at each start of the process.
    public init(
        presenter: MarketListPresenter,
        latest: LatestCut,
        personal: LatestPersonal? = nil,
        epoch: String
    ) {
        self.presenter = presenter
        self.latest = latest
        self.personal = personal
        state = Mutex(
            State(
                shelf: Shelf(
                    epoch: epoch,
                    bounds: .init(
                        queriesMax: Self.queriesMax,
                        weightMax: Self.rowsMax,
                        weight: { $0.rows.count }
                    )
                )
            )
        )
    }

    /// The document of a query from the newest cut.
    public func document(_ query: MarketListQuery) -> MarketListDocument {
        entry(query, isEncoded: false).entry.document
    }

    /// The same document as JSON; encoded once for each revision.
    public func bytes(_ query: MarketListQuery) -> (bytes: [UInt8], revision: String) {
        entry(query, isEncoded: true).entry.encoded
    }

    /// Places by popularity, recut at most every two seconds.
    public func ranks(_ cut: BoardCut) -> PopularityRanks {
        state.withLock { Self.ranks(cut, cut.board.names(else: presenter.names), &$0) }
    }

    /// What the document of a query says, and the cut it says it of.
    func content(_ query: MarketListQuery) -> (state: MarketListViewState, cut: BoardCut) {
        let (entry, cut) = entry(query, isEncoded: false)
        return (entry.document.state, cut)
    }

    private func entry(
        _ query: MarketListQuery,
        isEncoded: Bool
    ) -> (entry: Shelf.Entry, cut: BoardCut) {
        state.withLock { state in
            // Read under the lock: no thread may put an older cut behind a newer one.
            let cut = latest.value
            let names = cut.board.names(else: presenter.names)
            let ranks = Self.ranks(cut, names, &state)
            let kept = personal?.value
            let favorites = kept?.record.favorites
            let entry = state.shelf.entry(
                query,
                cut,
                personalSequence: kept?.sequence ?? 0,
                isEncoded: isEncoded
            ) { standing in
                let order = order(query, cut, favorites, standing)
                return (present(cut, query, order.list, ranks, kept), order)
            }
            return (entry, cut)
        }
    }

    private func present(
        _ cut: BoardCut,
        _ query: MarketListQuery,
        _ list: ListMarkets.Result,
        _ ranks: PopularityRanks,
        _ kept: PersonalCut?
    ) -> MarketListViewState {
        guard let kept else {
            return presenter.present(cut, query: query, list: list, ranks: ranks)
        }
        return presenter.present(
            cut,
            query: query,
            list: list,
            ranks: ranks,
            favorites: kept.record.favorites.value,
            sight: kept.status.sight
        )
    }

    /// The order in force, or a new one where that is due or other markets are there.
    private func order(
        _ query: MarketListQuery,
        _ cut: BoardCut,
        _ favorites: Revised<[MarketID]>?,
        _ standing: Order?
    ) -> Order {
        let marketCount = cut.board.marketCount
        if let standing, standing.marketCount == marketCount,
            standing.favoritesRevision == favorites?.revision,
            !cut.cutAt.isAtLeast(Self.orderInterval, after: standing.cutAt)
        {
            return standing
        }
        return Order(
            list: query.listMarkets(favorites: favorites?.value ?? [])(
                cut.board,
                names: cut.board.names(else: presenter.names),
                now: cut.cutAt
            ),
            cutAt: cut.cutAt,
            marketCount: marketCount,
            favoritesRevision: favorites?.revision
        )
    }

    private static func ranks(
        _ cut: BoardCut,
        _ names: CoinNames,
        _ state: inout State
    ) -> PopularityRanks {
        let marketCount = cut.board.marketCount
        if let held = state.ranks, held.marketCount == marketCount,
            !cut.cutAt.isAtLeast(orderInterval, after: held.at)
        {
            return held.value
        }
        let ranks = PopularityRanks(cut.board, names: names, now: cut.cutAt)
        state.ranks = (ranks, cut.cutAt, marketCount)
        return ranks
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
