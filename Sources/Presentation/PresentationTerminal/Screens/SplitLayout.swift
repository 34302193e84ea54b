import ViewStates

/// The layout of the list and an open market side by side.
///
/// The list needs at least 60 columns, in which no column is dropped. It stands beside the market
/// only where the chart still has a column for every bucket that it can show: columns that the
/// chart needs are never given to the list.
struct SplitLayout {
    private static let listColumnsMin = 60
    private static let listColumnsMax = 80
    /// The minimum size for both.
    static let sizeMin = (
        columns: listColumnsMin + 1 + MarketDetailLayout.columnsEnough, rows: 24
    )

    /// The list's part, from the left edge.
    let list: TerminalSize
    /// The line between them.
    let divider: Int
    /// The market's part, to the right edge.
    let detail: TerminalSize

    /// The layout; nil if both do not fit.
    init?(_ size: TerminalSize) {
        guard size.columns >= Self.sizeMin.columns, size.rows >= Self.sizeMin.rows else {
            return nil
        }
        let spare = size.columns - Self.sizeMin.columns
        divider = min(Self.listColumnsMin + spare, Self.listColumnsMax)
        list = TerminalSize(columns: divider, rows: size.rows)
        detail = TerminalSize(columns: size.columns - divider - 1, rows: size.rows)
    }

    /// The first column of the market's part.
    var detailColumn: Int { divider + 1 }
}
