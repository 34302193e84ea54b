/// A list as a shelf keeps it: its rows are shared with all other lists.
struct MarketListContent: DocumentContent {
    static var schemaName: String { MarketListViewState.schemaName }
    static var schemaVersion: Int { MarketListViewState.schemaVersion }

    /// A row where it stands.
    struct Row: Sendable, Equatable {
        let row: MarketRow
        /// Whether the user has starred the market, in lists of that user's own.
        var favorite: FavoriteViewState?

        /// Rows that are two were made of different cuts, and may still say the same.
        static func == (left: Row, right: Row) -> Bool {
            left.favorite == right.favorite
                && (left.row === right.row || left.row.state == right.row.state)
        }
    }

    /// Everything but the rows.
    let head: MarketListViewState
    let rows: [Row]

    /// The list as screens and readers of values take it.
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
        return Self(head: head, rows: rows)
    }

    func pieces(after old: (content: Self, pieces: DocumentParts)?) -> DocumentParts {
        var writer = PartWriter(after: old?.pieces)
        write(to: &writer, after: old?.content)
        return writer.document
    }

    /// Divides the list; its rows are there as fragments.
    func write(to pieces: inout PartWriter, after old: Self?) {
        head.writeHead(to: &pieces, after: old?.head)
        pieces.rows(
            "rows",
            rows.map { ListedRow(fragment: $0.row.fragment, favorite: $0.favorite) }
        )
    }

    /// Composed of pieces: nothing is encoded twice.
    func json(_ envelope: DocumentEnvelope) -> [UInt8]? { nil }
}
