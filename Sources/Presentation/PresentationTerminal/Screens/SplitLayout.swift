import ViewStates

/// When the list and an open market stand beside one another, and which columns each of them has.
///
/// From 160 × 24 on: the list at the left with at least the 60 columns in which nothing of a row is
/// left out, the market with all its panes in the rest. The list gets three eighths, up to 80
/// columns: more would only move its figures away from their names.
struct SplitLayout {
    /// From this size on there is room for both.
    static let sizeMin = (columns: 160, rows: 24)
    private static let listColumnsMax = 80

    /// The list's part, from the left edge.
    let list: TerminalSize
    /// The line between them.
    let divider: Int
    /// The market's part, to the right edge.
    let detail: TerminalSize

    /// Where both stand; nil on a screen without room for both.
    init?(_ size: TerminalSize) {
        guard size.columns >= Self.sizeMin.columns, size.rows >= Self.sizeMin.rows else {
            return nil
        }
        divider = min(size.columns * 3 / 8, Self.listColumnsMax)
        list = TerminalSize(columns: divider, rows: size.rows)
        detail = TerminalSize(columns: size.columns - divider - 1, rows: size.rows)
    }

    /// The first column of the market's part.
    var detailColumn: Int { divider + 1 }
}
