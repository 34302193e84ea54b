public import Domain
import JSON
import Synchronization
public import UseCases

/// A market's row as all lists of one period and language show it.
final class MarketRow: Sendable {
    /// The row without a user's `favorite`.
    let state: MarketRowViewState
    /// The row as JSON.
    let fragment: EncodedRow

    init(_ state: MarketRowViewState) {
        var json = JSONWriter(capacity: 1_024)
        state.write(to: &json)
        self.state = state
        fragment = EncodedRow(key: state.market, bytes: json.bytes)
    }
}

/// The rows that all lists share: presented once per snapshot and encoded once per change.
public final class SharedMarketRows: Sendable {
    /// The least time between two rankings by popularity.
    static var ranksInterval: Duration { MarketListProducer.orderInterval }

    private struct State {
        /// One for each of five periods and two languages.
        var tables: [TableKey: MarketRowTable] = [:]
        var ranks: (value: PopularityRanks, at: Timestamp, marketCount: Int)?
        /// The number of markets, counted once per snapshot.
        var counted: (sequence: UInt64, marketCount: Int)?
        /// The states of all changes, found once per snapshot and period.
        var changes: [ChangePeriod: (sequence: UInt64, changes: Changes)] = [:]
    }

    /// The states of all changes over one period.
    struct Changes {
        let states: ChangeStates
        /// The sequence of the first snapshot with these states.
        let revision: UInt64
    }

    /// A snapshot, and the values that all of its lists share.
    struct Reading {
        let snapshot: BoardSnapshot
        let ranks: PopularityRanks
        let marketCount: Int
        let changes: Changes
    }

    private struct TableKey: Hashable {
        let period: ChangePeriod
        let language: Language
    }

    let presenter: MarketListPresenter
    /// Publishes the snapshots of the board.
    public let latest: SnapshotPublisher
    /// Keeps all documents of the process, those of users included.
    let cache: DocumentCache
    private let periods: PeriodInterests?
    private let state = Mutex(State())

    /// Makes rows of the newest snapshot.
    ///
    /// - Parameters:
    ///   - presenter: presents rows and lists.
    ///   - latest: publishes the snapshots of the board.
    ///   - periods: learns which periods are in use; nil if nothing is read for them.
    ///   - cache: keeps the documents that are made of the rows.
    public init(
        presenter: MarketListPresenter,
        latest: SnapshotPublisher,
        periods: PeriodInterests? = nil,
        cache: DocumentCache = DocumentCache()
    ) {
        self.presenter = presenter
        self.latest = latest
        self.periods = periods
        self.cache = cache
    }

    /// Calls `body` with the newest snapshot while no other list is made.
    ///
    /// The snapshot is read under the lock: rows of an older snapshot never replace newer ones.
    func read<Result>(
        _ query: MarketListQuery,
        _ body: (inout MarketRowTable, Reading) -> Result
    ) -> Result {
        state.withLock { state in
            let snapshot = latest.value
            if state.counted?.sequence != snapshot.sequence {
                state.counted = (snapshot.sequence, snapshot.board.marketCount)
            }
            let marketCount = state.counted?.marketCount ?? 0
            let reading = Reading(
                snapshot: snapshot,
                ranks: ranks(snapshot, marketCount, &state),
                marketCount: marketCount,
                changes: changes(over: query.period, snapshot, &state)
            )
            let key = TableKey(period: query.period, language: query.language)
            return body(&state.tables[key, default: MarketRowTable()], reading)
        }
    }

    /// Keeps changes in use, so that their bases are read.
    public func use(_ shown: Set<ShownPeriod>) {
        guard let periods, !shown.isEmpty else { return }
        _ = periods.touch(shown, now: latest.value.capturedAt)
    }

    /// The coins that a user can add to the holdings; no coins are marked as held.
    public var coins: KnownCoins { KnownCoins(latest.value.board, else: presenter.names, held: []) }

    /// Whether a market can be added to the favorites: the exchange lists it, or the list of its
    /// currency was not read yet.
    public func knows(_ market: MarketID) -> Bool {
        let board = latest.value.board
        return board.market(market) != nil || !board.isListed(market.quote)
    }

    /// Listed markets with a similar name.
    public func suggestions(for market: MarketID) -> [String] {
        SpellingSuggestions.of(market.name, among: latest.value.board.markets.map(\.id.name))
    }

    /// The ranking by popularity, at most two seconds old.
    func ranks(_ snapshot: BoardSnapshot) -> PopularityRanks {
        state.withLock { ranks(snapshot, snapshot.board.marketCount, &$0) }
    }

    private func changes(
        over period: ChangePeriod,
        _ snapshot: BoardSnapshot,
        _ state: inout State
    ) -> Changes {
        let found = state.changes[period]
        if let found, found.sequence == snapshot.sequence { return found.changes }
        let states = snapshot.board.changeStates(over: period, now: snapshot.capturedAt)
        let changes =
            if let found, found.changes.states == states {
                found.changes
            } else {
                Changes(states: states, revision: snapshot.sequence)
            }
        state.changes[period] = (snapshot.sequence, changes)
        return changes
    }

    private func ranks(
        _ snapshot: BoardSnapshot,
        _ marketCount: Int,
        _ state: inout State
    ) -> PopularityRanks {
        if let current = state.ranks, current.marketCount == marketCount,
            !snapshot.capturedAt.isAtLeast(Self.ranksInterval, after: current.at)
        {
            return current.value
        }
        let ranks = PopularityRanks(
            snapshot.board,
            names: snapshot.board.names(else: presenter.names),
            now: snapshot.capturedAt
        )
        state.ranks = (ranks, snapshot.capturedAt, marketCount)
        return ranks
    }
}

/// The rows of one period and language.
struct MarketRowTable {
    /// Twice the markets of a board, because one feed may follow another; a full table is emptied,
    /// and lists look up their rows again.
    static let rowsMax = 2 * MarketBoard.marketsMax

    private struct Cell {
        let market: MarketID
        /// The snapshot that the row was last made of.
        var sequence: UInt64?
        /// Nil if that snapshot has no such market.
        var row: MarketRow?
    }

    private var cells: [Cell] = []
    private var indices: [MarketID: Int] = [:]
    /// Counts how often the table was emptied: indices of another generation are invalid.
    private(set) var generation = 0

    /// The indices of markets' rows, valid within the generation.
    mutating func indices(of markets: [MarketID]) -> [Int] {
        if cells.count + markets.count > Self.rowsMax {
            cells = []
            indices = [:]
            generation += 1
        }
        return markets.map { market in
            if let index = indices[market] { return index }
            indices[market] = cells.count
            cells.append(Cell(market: market, sequence: nil, row: nil))
            return cells.count - 1
        }
    }

    /// The row at an index, if it was made of this snapshot.
    func row(_ index: Int, of sequence: UInt64) -> MarketRow? {
        cells[index].sequence == sequence ? cells[index].row : nil
    }

    /// The row at an index, made if it is of another snapshot.
    ///
    /// - Parameters:
    ///   - index: the row's index.
    ///   - sequence: the sequence of the snapshot.
    ///   - make: presents the row; an equal row replaces nothing.
    /// - Returns: nil if the snapshot has no such market.
    mutating func row(
        _ index: Int,
        _ sequence: UInt64,
        _ make: (MarketID) -> MarketRowViewState?
    ) -> MarketRow? {
        if cells[index].sequence == sequence { return cells[index].row }
        let state = make(cells[index].market)
        if cells[index].row?.state != state { cells[index].row = state.map(MarketRow.init) }
        cells[index].sequence = sequence
        return cells[index].row
    }
}
