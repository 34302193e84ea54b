public import Domain
import Synchronization

/// The facts of the rows of a wide list, presented only where a market changed.
///
/// A row is presented again if its market changed, at most once a second, and otherwise every ten
/// seconds, because the beginnings of windows move. A price beyond the known high or low does not
/// wait. Holds the rows of the last list only.
public final class WideRowCache: Sendable {
    /// The least time between two presentations of a changed market.
    static let changeInterval: Duration = .seconds(1)
    /// How long facts of an unchanged market hold, and how long markets count as in use.
    static let holdInterval: Duration = .seconds(10)

    private struct Entry {
        var row: WideRowViewState
        var high: FixedDecimal?
        var low: FixedDecimal?
        var revision: UInt64
        var madeAt: Timestamp

        func holds(_ market: MarketState, at now: Timestamp) -> Bool {
            if let price = market.price, let high, let low, price > high || price < low {
                return false
            }
            let interval =
                revision == market.revision
                ? WideRowCache.holdInterval : WideRowCache.changeInterval
            return !now.isAtLeast(interval, after: madeAt)
        }
    }

    private struct State {
        var query: WideRowQuery?
        var day: Int?
        var markets: [MarketID] = []
        var usedAt: Timestamp?
        var entries: [MarketID: Entry] = [:]
        var presented = 0
    }

    private let state = Mutex(State())

    /// Makes an empty cache.
    public init() {}

    /// How many rows were presented so far.
    var presentedCount: Int { state.withLock { $0.presented } }

    /// The facts of markets on a screen.
    ///
    /// - Parameters:
    ///   - markets: the markets.
    ///   - snapshot: the newest snapshot.
    ///   - query: the facts.
    ///   - use: is told which closes the markets need, after another list and every ten seconds.
    /// - Returns: the facts; a change of a market is in them within a second. A market that the
    ///   snapshot lacks has none.
    public func rows(
        of markets: [MarketID],
        in snapshot: BoardSnapshot,
        _ query: WideRowQuery,
        use: (Set<ShownPeriod>) -> Void
    ) -> WideRows {
        let (rows, isUseDue) = state.withLock { state in
            let (board, now) = (snapshot.board, snapshot.capturedAt)
            let isOther = state.query != query
            if isOther || state.day != board.day { state.entries = [:] }
            (state.query, state.day) = (query, board.day)
            var entries: [MarketID: Entry] = [:]
            var rows: [String: WideRowViewState] = [:]
            for id in markets {
                guard let market = board.market(id) else { continue }
                var entry = state.entries[id]
                if entry?.holds(market, at: now) != true {
                    entry = Self.present(market, snapshot, query)
                    state.presented += 1
                }
                entries[id] = entry
                rows[id.name] = entry?.row
            }
            state.entries = entries
            let isUseDue =
                isOther || state.markets != markets
                || state.usedAt.map { now.isAtLeast(Self.holdInterval, after: $0) } ?? true
            if isUseDue { (state.markets, state.usedAt) = (markets, now) }
            return (WideRows(query, rows), isUseDue)
        }
        if isUseDue { use(query.shownPeriods(of: markets)) }
        return rows
    }

    private static func present(
        _ market: MarketState,
        _ snapshot: BoardSnapshot,
        _ query: WideRowQuery
    ) -> Entry {
        let (board, now) = (snapshot.board, snapshot.capturedAt)
        let changes = query.periods.map { period in
            let change = board.change(of: market, over: period, now: now)
            return WideRowViewState.Change(
                period: period,
                rateText: change.ratePercent.map(NumberText.rate),
                direction: DirectionViewState(change),
                at: change.at,
                noTrade: change.isWithoutTrade
            )
        }
        let day = query.hasDay ? market.today(on: board.day) : nil
        func text(_ price: FixedDecimal?) -> String? {
            price.map { NumberText.price($0, quote: market.id.quote) }
        }
        return Entry(
            row: WideRowViewState(
                changes: changes,
                highText: text(day?.high),
                lowText: text(day?.low),
                line: query.hasDay ? board.dayLine(of: market, now: now) : nil
            ),
            high: day?.high,
            low: day?.low,
            revision: market.revision,
            madeAt: now
        )
    }
}
