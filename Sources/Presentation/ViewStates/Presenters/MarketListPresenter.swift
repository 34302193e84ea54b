public import Domain

/// Presents the list of markets for a query.
public struct MarketListPresenter: Sendable {
    /// Coin names until the board has its own.
    public let names: CoinNames

    /// Makes a presenter.
    public init(names: CoinNames) {
        self.names = names
    }

    /// Presents a shared list.
    ///
    /// - Parameters:
    ///   - snapshot: the board at one moment.
    ///   - query: the query.
    ///   - list: the order of the markets, perhaps from a slightly older snapshot.
    ///   - ranks: ranks by popularity.
    /// - Returns: the rows from the query's offset on, each from the given snapshot.
    public func present(
        _ snapshot: BoardSnapshot,
        query: MarketListQuery,
        list: ListMarkets.Result,
        ranks: PopularityRanks
    ) -> MarketListViewState {
        present(snapshot, query: query, list: list, ranks: ranks, positions: nil)
    }

    /// Presents a user's own list, with a favorite mark in every row.
    ///
    /// - Parameters:
    ///   - snapshot: the board at one moment.
    ///   - query: the query.
    ///   - list: the order of the markets, of ``MarketListQuery/listMarkets(favorites:)``.
    ///   - ranks: ranks by popularity.
    ///   - favorites: the user's favorites in order.
    ///   - visibility: whether the favorites are loaded; the list of favorites says if not.
    /// - Returns: the rows from the query's offset on, each from the given snapshot.
    public func present(
        _ snapshot: BoardSnapshot,
        query: MarketListQuery,
        list: ListMarkets.Result,
        ranks: PopularityRanks,
        favorites: [MarketID],
        visibility: Visibility = .shown
    ) -> MarketListViewState {
        let positions = Dictionary(
            zip(favorites, 1...),
            uniquingKeysWith: { first, _ in first }
        )
        return present(
            snapshot,
            query: query,
            list: list,
            ranks: ranks,
            positions: positions,
            visibility: visibility
        )
    }

    private func present(
        _ snapshot: BoardSnapshot,
        query: MarketListQuery,
        list: ListMarkets.Result,
        ranks: PopularityRanks,
        positions: [MarketID: Int]?,
        visibility: Visibility = .shown
    ) -> MarketListViewState {
        let changes = snapshot.board.changeStates(over: query.period, now: snapshot.capturedAt)
        var state = head(
            snapshot,
            query: query,
            list: list,
            coverage: snapshot.board.coverage(
                of: query.marketsWithChange(of: list.order),
                by: changes
            ),
            positions: positions,
            visibility: visibility
        )
        let rowPresenter = rowPresenter(snapshot, query)
        state.rows = query.shown(of: list.order).compactMap { id in
            row(id, rowPresenter, query, ranks, positions)
        }
        return state
    }

    /// Presents a list without its rows.
    ///
    /// - Parameters:
    ///   - snapshot: the board at one moment.
    ///   - query: the query.
    ///   - list: the order of the markets.
    ///   - coverage: how many changes of ``MarketListQuery/marketsWithChange(of:)`` are known.
    ///   - positions: the places of the user's favorites; nil in shared lists.
    ///   - visibility: whether the favorites are loaded.
    /// - Returns: a list without rows.
    func head(
        _ snapshot: BoardSnapshot,
        query: MarketListQuery,
        list: ListMarkets.Result,
        coverage: ChangeCoverage,
        positions: [MarketID: Int]?,
        visibility: Visibility
    ) -> MarketListViewState {
        let board = snapshot.board
        let unread =
            positions != nil && query.tab == .favorites
            ? HealthPresenter.unread(visibility, language: query.messageLanguage) : nil
        let health =
            unread
            ?? HealthPresenter.present(
                board.feed,
                hasMarkets: !board.markets.isEmpty,
                changes: coverage,
                now: snapshot.capturedAt,
                language: query.messageLanguage
            )
        return MarketListViewState(
            health: health,
            query: query.viewState,
            total: list.total,
            filtered: list.order.count,
            skipped: board.feed.entriesSkipped,
            missing: list.missing.filter { board.isListed($0.quote) }.map(\.name)
                + query.invalidMarketNames,
            emptyReason: list.order.isEmpty
                ? emptyReason(health, query, board, positions, isRead: unread == nil) : nil,
            rows: []
        )
    }

    /// The presenter of a query's rows.
    func rowPresenter(_ snapshot: BoardSnapshot, _ query: MarketListQuery) -> MarketRowPresenter {
        MarketRowPresenter(
            board: snapshot.board,
            names: snapshot.board.names(else: names),
            period: query.period,
            language: query.language,
            now: snapshot.capturedAt
        )
    }

    private func row(
        _ id: MarketID,
        _ presenter: MarketRowPresenter,
        _ query: MarketListQuery,
        _ ranks: PopularityRanks,
        _ positions: [MarketID: Int]?
    ) -> MarketRowViewState? {
        let board = presenter.board
        let market: MarketState? =
            switch query.tab {
            case .markets, .popular: board.market(id)
            case .favorites: board.marketOrPlaceholder(id, now: presenter.now)
            }
        guard let market else { return nil }
        var row = presenter.present(market, rank: ranks[id])
        row.favorite = positions.map { FavoriteViewState(position: $0[id]) }
        return row
    }

    private func emptyReason(
        _ health: HealthViewState,
        _ query: MarketListQuery,
        _ board: MarketBoard,
        _ positions: [MarketID: Int]?,
        isRead: Bool
    ) -> MarketListViewState.EmptyReason {
        if isRead, query.tab == .favorites, positions?.isEmpty ?? true { return .noFavorites }
        return switch health.phase {
        case .loading: .loading
        case .failed: .error
        case .ready, .stale:
            // The two currencies are loaded one after the other.
            if query.quotes.allSatisfy(board.isListed) {
                .noMatch
            } else {
                health.error == nil ? .loading : .error
            }
        case .ended: .noMatch
        }
    }
}

/// Ranks by 24-hour trade value in won among all markets, from 1.
public struct PopularityRanks: Sendable {
    private let ranks: [MarketID: Int]

    /// Ranks the markets of a board; a market without a trade value has no rank.
    public init(_ board: MarketBoard, names: CoinNames, now: Timestamp) {
        let order = ListMarkets(selection: .all)(board, names: names, now: now).order
        var ranks: [MarketID: Int] = [:]
        ranks.reserveCapacity(order.count)
        for (index, id) in order.enumerated() {
            guard let market = board.market(id), board.tradeValue24hInWon(of: market) != nil else {
                break
            }
            ranks[id] = index + 1
        }
        self.ranks = ranks
    }

    /// The rank of a market; nil without one.
    public subscript(id: MarketID) -> Int? { ranks[id] }
}
