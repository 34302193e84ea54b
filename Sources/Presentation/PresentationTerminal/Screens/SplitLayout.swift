import ViewStates

/// The layout of the list and an open market side by side.
///
/// From 160 × 24 on. The list needs at least 60 columns, in which no column is dropped; it gets
/// three eighths, at most 80. The market with all its panes gets the rest.
struct SplitLayout {
    /// The minimum size for both.
    static let sizeMin = (columns: 160, rows: 24)
    private static let listColumnsMax = 80

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
        divider = min(size.columns * 3 / 8, Self.listColumnsMax)
        list = TerminalSize(columns: divider, rows: size.rows)
        detail = TerminalSize(columns: size.columns - divider - 1, rows: size.rows)
    }

    /// The first column of the market's part.
    var detailColumn: Int { divider + 1 }
}
