/// Which row of the screen holds what.
struct MarketListLayout {
    /// Below this width a row has two lines, so that no column is dropped.
    static let singleLineColumnsMin = 60

    let title: Int
    /// Tabs, search and counts; nil on a screen too low for them.
    let tabs: Int?
    /// The names of the columns; nil on a screen too low for them.
    let header: Int?
    /// The markets.
    let rows: Range<Int>
    /// Lines per row.
    let rowHeight: Int
    /// Errors and hints; nil on a screen too low for them.
    let bottom: Int?

    /// From five rows all parts fit; below, the title and one market remain longest.
    init(_ size: TerminalSize) {
        rowHeight = size.columns < Self.singleLineColumnsMin ? 2 : 1
        title = 0
        tabs = size.rows >= 4 ? 1 : nil
        header = size.rows >= 5 ? 2 : nil
        bottom = size.rows >= 3 ? size.rows - 1 : nil
        let start = 1 + (tabs == nil ? 0 : 1) + (header == nil ? 0 : 1)
        rows = start..<max(size.rows - (bottom == nil ? 0 : 1), start)
    }
}
