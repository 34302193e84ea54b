import ViewStates

/// Which lines of the screen of holdings hold what.
struct PortfolioArea {
    /// So many rows of the list stay, whatever they have no room for.
    private static let rowsMin = 2

    /// The rows of the list.
    let rows: Range<Int>
    /// What names that which cannot be valued; nil where there is nothing of the kind, or no room.
    let note: Int?
    /// The rest of the marked row; nil where all of it is in the row, or without room for it.
    let rest: Range<Int>?

    /// Divides the lines that the title and a form leave.
    init(
        _ lines: Range<Int>,
        _ document: PortfolioDocument,
        _ layout: MarketListLayout,
        width: Int
    ) {
        var rows = lines
        let hasNote = !document.state.unvalued.isEmpty && rows.count >= 2
        note = hasNote ? rows.upperBound - 1 : nil
        if hasNote { rows = rows.dropLast() }
        let wanted = OverflowColumns.linesMax(
            document,
            width: width,
            isFolded: layout.rowHeight > 1
        )
        let count = min(wanted, rows.count - Self.rowsMin * layout.rowHeight)
        rest = count > 0 ? (rows.upperBound - count)..<rows.upperBound : nil
        if count > 0 { rows = rows.dropLast(count) }
        self.rows = rows
    }
}
