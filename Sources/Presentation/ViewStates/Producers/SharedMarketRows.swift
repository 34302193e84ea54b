public import Domain
import Synchronization
public import UseCases

/// A market's row as all lists of one period and language show it at a cut.
final class MarketRow: Sendable {
    /// The row, without what only a user's own lists say.
    let state: MarketRowViewState
    /// The same as JSON.
    let fragment: EncodedRow

    init(_ state: MarketRowViewState) {
        var json = JSONWriter(capacity: 1_024)
        state.write(to: &json)
        self.state = state
        fragment = EncodedRow(key: state.market, bytes: json.bytes)
    }
}

/// The rows that lists are made of: each is presented once a cut and encoded once a change, whoever
/// shows it.
public final class SharedMarketRows: Sendable {
    /// How long places by popularity stand at least.
    static var ranksInterval: Duration { MarketListProducer.orderInterval }

    private struct State {
        /// One for each period and language, of which there are ten.
        var tables: [TableKey: MarketRowTable] = [:]
        var ranks: (value: PopularityRanks, at: Timestamp, marketCount: Int)?
        /// Counted once a cut, whatever the number of lists.
        var counted: (sequence: UInt64, marketCount: Int)?
    }

    /// The cut that a list is made of, and what holds for all lists of it.
    struct Reading {
        let cut: BoardSnapshot
        let ranks: PopularityRanks
        let marketCount: Int
    }

    private struct TableKey: Hashable {
        let period: ChangePeriod
        let language: Language
    }

    let presenter: MarketListPresenter
    let latest: SnapshotPublisher
    /// Of every document that is made of these rows.
    let counter = RevisionCounter()
    private let state = Mutex(State())

    /// Makes rows of the newest cut.
    public init(presenter: MarketListPresenter, latest: SnapshotPublisher) {
        self.presenter = presenter
        self.latest = latest
    }

    /// Lets `body` make a list of the newest cut, while no other list is made.
    ///
    /// The cut is read here: no thread may put older rows behind newer ones.
    func read<Result>(
        _ query: MarketListQuery,
        _ body: (inout MarketRowTable, Reading) -> Result
    ) -> Result {
        state.withLock { state in
            let cut = latest.value
            if state.counted?.sequence != cut.sequence {
                state.counted = (cut.sequence, cut.board.marketCount)
            }
            let marketCount = state.counted?.marketCount ?? 0
            let reading = Reading(
                cut: cut,
                ranks: ranks(cut, marketCount, &state),
                marketCount: marketCount
            )
            let key = TableKey(period: query.period, language: query.language)
            return body(&state.tables[key, default: MarketRowTable()], reading)
        }
    }

    /// The coins that can be added to what somebody holds, apart from those that are held.
    public var coins: KnownCoins { KnownCoins(latest.value.board, else: presenter.names, held: []) }

    /// Places by popularity, recut at most every two seconds.
    func ranks(_ cut: BoardSnapshot) -> PopularityRanks {
        state.withLock { ranks(cut, cut.board.marketCount, &$0) }
    }

    private func ranks(
        _ cut: BoardSnapshot,
        _ marketCount: Int,
        _ state: inout State
    ) -> PopularityRanks {
        if let held = state.ranks, held.marketCount == marketCount,
            !cut.capturedAt.isAtLeast(Self.ranksInterval, after: held.at)
        {
            return held.value
        }
        let ranks = PopularityRanks(
            cut.board,
            names: cut.board.names(else: presenter.names),
            now: cut.capturedAt
        )
        state.ranks = (ranks, cut.capturedAt, marketCount)
        return ranks
    }
}

/// The rows of one period and language.
struct MarketRowTable {
    /// More markets than a board has at a time, as one feed may come after another; when full, all
    /// are forgotten, and lists look their rows up anew.
    static let rowsMax = 2 * MarketBoard.marketsMax

    private struct Cell {
        let market: MarketID
        /// Of the cut that the row was last made of.
        var sequence: UInt64?
        /// Nil where the cut has no such market.
        var row: MarketRow?
    }

    private var cells: [Cell] = []
    private var places: [MarketID: Int] = [:]
    /// Counts how often all was forgotten: places of another number are of no use.
    private(set) var generation = 0

    /// The places of markets' rows, which stand as long as the generation.
    mutating func places(of markets: ArraySlice<MarketID>) -> [Int] {
        if cells.count + markets.count > Self.rowsMax {
            cells = []
            places = [:]
            generation += 1
        }
        return markets.map { market in
            if let place = places[market] { return place }
            places[market] = cells.count
            cells.append(Cell(market: market, sequence: nil, row: nil))
            return cells.count - 1
        }
    }

    /// The row at a place.
    ///
    /// - Parameters:
    ///   - place: the row's place.
    ///   - sequence: that of the cut.
    ///   - make: makes the row of the cut; it is kept only if it is another than before.
    /// - Returns: nil where the cut has no such market.
    mutating func row(
        _ place: Int,
        _ sequence: UInt64,
        _ make: (MarketID) -> MarketRowViewState?
    ) -> MarketRow? {
        if cells[place].sequence == sequence { return cells[place].row }
        let state = make(cells[place].market)
        if cells[place].row?.state != state { cells[place].row = state.map(MarketRow.init) }
        cells[place].sequence = sequence
        return cells[place].row
    }
}
