/// Which row of the screen holds what.
struct MarketListLayout {
    /// Below this width a row has two lines, so that no column is dropped.
    static let singleLineColumnsMin = 60
    /// Smaller screens show a compact list: two-line rows would leave room for few markets.
    static let fullSizeMin = (columns: 40, rows: 12)
    /// The smallest screen that shows a list.
    static let compactSizeMin = (columns: 20, rows: 4)

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
    /// Whether the list has one line of status, and one for each market.
    let isCompact: Bool

    /// From five lines, or six with rows of two, all parts fit; below, the title and one row remain
    /// longest.
    init(_ size: TerminalSize) {
        isCompact = false
        rowHeight = size.columns < Self.singleLineColumnsMin ? 2 : 1
        title = 0
        tabs = size.rows >= 3 + rowHeight ? 1 : nil
        header = size.rows >= 4 + rowHeight ? 2 : nil
        bottom = size.rows >= 3 ? size.rows - 1 : nil
        let start = 1 + (tabs == nil ? 0 : 1) + (header == nil ? 0 : 1)
        rows = start..<max(size.rows - (bottom == nil ? 0 : 1), start)
    }

    /// The layout of the market list: compact if the user wants it, and on a small screen.
    init(listIn size: TerminalSize, wantsCompact: Bool) {
        let isSmall =
            size.columns < Self.fullSizeMin.columns || size.rows < Self.fullSizeMin.rows
        self = wantsCompact || isSmall ? Self(compact: size) : Self(size)
    }

    private init(compact size: TerminalSize) {
        isCompact = true
        rowHeight = 1
        title = 0
        tabs = nil
        header = nil
        bottom = nil
        rows = 1..<max(size.rows, 1)
    }
}
