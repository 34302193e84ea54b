import Presentation

/// Which lines of the screen of holdings hold what.
struct PortfolioArea {
    /// What folded rows have no room for takes this many lines, for the marked row alone.
    private static let restRows = 2

    /// The rows of the list.
    let rows: Range<Int>
    /// What names that which cannot be valued; nil where there is nothing of the kind, or no room.
    let note: Int?
    /// The rest of the marked row; nil where rows are not folded, or without room for it.
    let rest: Range<Int>?

    /// Divides the lines that the title and a form leave.
    init(_ lines: Range<Int>, _ document: PortfolioDocument, _ layout: MarketListLayout) {
        var rows = lines
        let hasNote = !document.state.unvalued.isEmpty && rows.count >= 2
        note = hasNote ? rows.upperBound - 1 : nil
        if hasNote { rows = rows.dropLast() }
        let hasRest =
            layout.rowHeight > 1 && !document.state.rows.isEmpty
            && rows.count >= Self.restRows + 2 * layout.rowHeight
        rest = hasRest ? (rows.upperBound - Self.restRows)..<rows.upperBound : nil
        if hasRest { rows = rows.dropLast(Self.restRows) }
        self.rows = rows
    }
}
