import Domain
import UseCases
import ViewStates

/// Waits for the first data of a command that prints once.
enum FirstData {
    /// The time limit for the exchange.
    static let patience: Duration = .seconds(10)
    /// The time limit for a replay to end.
    static let replayPatience: Duration = .seconds(600)

    /// The time limit for an unreachable exchange, if the store has a list.
    static let storedPatience: Duration = .seconds(3)

    /// Waits until the list is complete or the replay has ended.
    ///
    /// - Returns: whether the exchange sent a list; if not, documents contain the error.
    static func waitForList(_ markets: Markets, _ exchange: ExchangeEndpoint) async -> Bool {
        let isReplay = exchange.kind == .replay
        let isAvailable: @Sendable (BoardSnapshot) -> Bool = { snapshot in
            let feed = snapshot.board.feed
            if isReplay, feed.kind == .replay { return feed.connection == .ended }
            return feed.listedQuotes.count == Quote.allCases.count
        }
        if await read(markets, within: storedPatience, isAvailable) { return true }
        let board = markets.latest.value.board
        if board.feed.listingFailure != nil, board.markets.contains(where: \.isStored) {
            return false
        }
        let limit = (isReplay ? replayPatience : patience) - storedPatience
        if await read(markets, within: limit, isAvailable) { return true }
        // Stored markets are printed but are not an answer of the exchange.
        return markets.latest.value.board.markets.contains { !$0.isStored }
    }

    /// The time limit for the parts of a market, and for the user's data.
    static let detailPatience: Duration = .seconds(5)

    /// Waits until every part was read once or failed.
    static func waitForDetails(_ interests: Set<DetailInterest>, _ markets: Markets) async {
        guard !interests.isEmpty else { return }
        _ = await read(markets, within: detailPatience) { snapshot in
            let needs = snapshot.board.detailNeeds.readings
            return interests.allSatisfy { interest in
                guard let detail = snapshot.board.details[interest.market] else { return false }
                return detail.failures[interest.facet] != nil
                    || detail.facets.contains(interest.facet) && !needs.contains(interest)
            }
        }
    }

    /// Reads the bases of changes in parallel with the list, until the lease is released.
    ///
    /// - Parameters:
    ///   - query: the parts that show changes.
    ///   - markets: the market data.
    /// - Returns: the lease; nil if the query needs no bases, or some of markets that the list must
    ///   tell first.
    static func followChanges(of query: SnapshotQuery, _ markets: Markets) -> PeriodLease? {
        let shown = (query.marketList?.periodsOfAll ?? [])
            .union(query.marketDetail?.shownPeriods ?? [])
        return shown.isEmpty ? nil : markets.periods.enter(shown)
    }

    /// Waits until the changes of a list and a market's header are known.
    ///
    /// - Parameters:
    ///   - query: the parts that show changes.
    ///   - favorites: the user's favorites, for a list of them.
    ///   - markets: the market data, whose list is known.
    static func waitForChanges(
        of query: SnapshotQuery,
        favorites: [MarketID] = [],
        _ markets: Markets
    ) async {
        let list = query.marketList?.listMarkets(favorites: favorites)
        let names = markets.presenter.names
        let order: @Sendable (BoardSnapshot) -> [MarketID] = { snapshot in
            let board = snapshot.board
            return list?(board, names: board.names(else: names), now: snapshot.capturedAt).order
                ?? []
        }
        let shown = query.marketList?.shownPeriods(of: order(markets.latest.value)) ?? []
        let lease = shown.isEmpty ? nil : markets.periods.enter(shown)
        defer { lease?.release() }
        _ = await read(markets, within: patience) { snapshot in
            let (board, now) = (snapshot.board, snapshot.capturedAt)
            if board.feed.kind == .replay { return true }
            let isListComplete = query.marketList.map { list in
                board.coverage(
                    of: list.marketsWithChange(of: order(snapshot)),
                    by: board.changeStates(over: list.period, now: now)
                ).isComplete
            }
            let isHeaderComplete = query.marketDetail.flatMap { detail in
                board.market(detail.market).map {
                    board.isChangeKnown(of: $0, over: detail.period, now: now)
                }
            }
            return isListComplete ?? true && isHeaderComplete ?? true
        }
    }

    /// Waits until deposits and withdrawals were read once or failed.
    static func waitForTransfers(_ markets: Markets) async {
        _ = await read(markets, within: detailPatience) { snapshot in
            let board = snapshot.board
            let assets = board.reference.assets
            // A replay never reads them.
            return assets.readAt != nil || assets.failure != nil || board.feed.kind == .replay
        }
    }

    /// Waits until the user's data were read once or failed: what is printed cannot be completed
    /// later, as a screen can.
    static func waitForUser(_ state: UserStatePublisher) async {
        await state.first(within: detailPatience, clock: ContinuousClock()) { state in
            !state.status.isUnread || state.status.failure != nil
        }
    }

    /// Waits for a snapshot that meets a condition; returns whether one came within the limit.
    private static func read(
        _ markets: Markets,
        within limit: Duration,
        _ isMet: @escaping @Sendable (BoardSnapshot) -> Bool
    ) async -> Bool {
        await markets.latest.first(within: limit, clock: ContinuousClock(), where: isMet) != nil
    }
}
