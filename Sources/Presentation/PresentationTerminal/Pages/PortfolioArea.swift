import ViewStates

/// Which lines of the screen of holdings hold what.
struct PortfolioArea {
    /// The minimum visible rows of the list.
    private static let rowsMin = 2

    /// The rows of the list.
    let rows: Range<Int>
    /// The line that lists coins without a value; nil if none, or without room.
    let note: Int?
    /// The overflow lines of the selected row; nil if nothing overflows, or without room.
    let rest: Range<Int>?

    /// Divides the lines that the title and a form leave.
    init(
        _ lines: Range<Int>,
        _ document: PortfolioDocument,
        _ layout: MarketListLayout,
        width: Int
    ) {
        var rows = lines
        // Without the totals, a row goes before the note on what they lack.
        let noteRowsMin = layout.tabs == nil ? layout.rowHeight + 1 : 2
        let hasNote = !document.state.unvalued.isEmpty && rows.count >= noteRowsMin
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
