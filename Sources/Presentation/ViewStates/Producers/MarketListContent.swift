import Domain

/// The order of a list, and what it was made of.
///
/// An object, because every snapshot's content of a list refers to it.
final class MarketListOrder: Sendable {
    let list: ListMarkets.Result
    let madeAt: Timestamp
    /// The number of markets on the board: another one makes a new order due at once.
    let marketCount: Int
    /// The user's favorites: others make a new order due at once.
    let favorites: Revised<[MarketID]>?
    /// The positions of the favorites, from 1.
    let positions: [MarketID: Int]?
    /// The indices of the rows in the row table of that generation.
    let indices: [Int]
    let generation: Int

    /// How many markets the list has.
    var count: Int { list.order.count }

    init(
        list: ListMarkets.Result,
        madeAt: Timestamp,
        marketCount: Int,
        favorites: Revised<[MarketID]>?,
        positions: [MarketID: Int]?,
        indices: [Int],
        generation: Int
    ) {
        self.list = list
        self.madeAt = madeAt
        self.marketCount = marketCount
        self.favorites = favorites
        self.positions = positions
        self.indices = indices
        self.generation = generation
    }
}

/// A list whose rows are shared with all other lists.
struct MarketListContent: DocumentContent {
    static var schemaName: String { MarketListViewState.schemaName }
    static var schemaVersion: Int { MarketListViewState.schemaVersion }

    /// A row of the list.
    struct Row: Sendable, Equatable {
        let row: MarketRow
        /// The user's mark, in users' own lists.
        var favorite: FavoriteViewState?

        /// The row as JSON.
        var listed: ListedRow { ListedRow(fragment: row.fragment, favorite: favorite) }

        /// Two rows of different snapshots may have equal content.
        static func == (left: Row, right: Row) -> Bool {
            left.favorite == right.favorite
                && (left.row === right.row || left.row.state == right.row.state)
        }
    }

    /// Everything but the rows.
    let head: MarketListViewState
    let rows: [Row]
    /// Not compared: an order that shows the same rows is the same content.
    let order: MarketListOrder
    /// How many changes of the order's markets are known; the head tells it.
    let coverage: ChangeCoverage
    /// The revision of the changes that the coverage was counted from.
    let changesRevision: UInt64

    static func == (left: Self, right: Self) -> Bool {
        left.head == right.head && left.rows == right.rows
    }

    /// Rows are shared; each takes about 700 bytes in the list's JSON and 100 in gzip, and the same
    /// in the files of both.
    var estimatedByteCount: Int { rows.count * 1_664 + 1_024 }

    /// The view state.
    var state: MarketListViewState {
        var state = head
        state.rows = rows.map { row in
            var shown = row.row.state
            shown.favorite = row.favorite
            return shown
        }
        return state
    }

    func coalescingTimes(of old: Self) -> Self {
        var head = head
        head.coalesceTimes(of: old.head)
        return Self(
            head: head,
            rows: rows,
            order: order,
            coverage: coverage,
            changesRevision: changesRevision
        )
    }

    func updated(from new: Self) -> Self {
        Self(
            head: head,
            rows: rows,
            order: new.order,
            coverage: new.coverage,
            changesRevision: new.changesRevision
        )
    }

    func parts(after old: (content: Self, parts: DocumentParts)?) -> DocumentParts {
        var writer = PartWriter(after: old?.parts)
        write(to: &writer, after: old?.content)
        return writer.document
    }

    /// Divides the list into parts; its rows are encoded already.
    func write(to parts: inout PartWriter, after old: Self?) {
        Self.write(head, rows.map(\.listed), to: &parts, after: old?.head)
    }

    static func write(
        _ head: MarketListViewState,
        _ rows: [ListedRow],
        to parts: inout PartWriter,
        after old: MarketListViewState?
    ) {
        parts.members(of: head, after: old, includesRows: false)
        parts.rows("rows", rows)
    }

    /// Composed of parts: rows are not encoded again.
    func json(_ envelope: DocumentEnvelope) -> [UInt8]? { nil }
}
