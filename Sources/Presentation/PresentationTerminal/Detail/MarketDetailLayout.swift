import Domain
import ViewStates

/// Which rectangle of the screen holds what of a detail.
struct MarketDetailLayout {
    /// From this size on all panes are visible; below it only the focused one.
    static let wideSize = (columns: 120, rows: 24)
    /// The book's three columns plus key figures and trades.
    private static let bookColumnsMin = 64
    /// The book's three columns alone, used beside a list.
    private static let bookColumnsLeast = 48
    private static let bookColumnsMax = 96

    let title: Int
    /// Price and change; nil on a screen too low for them.
    let price: Int?
    /// The row of the pane names if only one pane is visible; nil on low screens.
    let tabs: Int?
    /// Errors and hints; nil on a screen too low for them.
    let bottom: Int?
    /// Whether all panes are visible.
    let isWide: Bool
    /// The column of the line between the panes; nil without one.
    let divider: Int?
    /// The title positions if all panes are visible.
    let titles: [DetailPane: (row: Int, columns: Range<Int>)]
    private let areas: [DetailPane: FrameArea]

    /// Beside the list all panes are visible at any width.
    init(_ size: TerminalSize, isBesideList: Bool = false) {
        title = 0
        bottom = size.rows >= 4 ? size.rows - 1 : nil
        price = size.rows >= 5 ? 1 : nil
        isWide =
            isBesideList
            || (size.columns >= Self.wideSize.columns && size.rows >= Self.wideSize.rows)
        tabs = !isWide && size.rows >= 7 ? 2 : nil
        let top = 1 + (price == nil ? 0 : 1) + (tabs == nil ? 0 : 1)
        let body = top..<max(size.rows - (bottom == nil ? 0 : 1), top)
        guard isWide else {
            let whole = FrameArea(rows: body, columns: 0..<size.columns)
            areas = Dictionary(uniqueKeysWithValues: DetailPane.allCases.map { ($0, whole) })
            titles = [:]
            divider = nil
            return
        }
        let bookColumns = min(
            max(
                size.columns * 2 / 5,
                size.columns < Self.wideSize.columns ? Self.bookColumnsLeast : Self.bookColumnsMin
            ),
            Self.bookColumnsMax
        )
        divider = bookColumns
        let left = 0..<bookColumns
        let right = (bookColumns + 1)..<size.columns
        let split = body.upperBound - max(body.count / 3, 8)
        titles = [
            .book: (body.lowerBound, left), .chart: (body.lowerBound, right),
            .trades: (split, right),
        ]
        areas = [
            .book: FrameArea(rows: (body.lowerBound + 1)..<body.upperBound, columns: left),
            .chart: FrameArea(rows: (body.lowerBound + 1)..<split, columns: right),
            .trades: FrameArea(rows: (split + 1)..<body.upperBound, columns: right),
        ]
    }

    /// The area of a pane.
    func area(_ pane: DetailPane) -> FrameArea {
        areas[pane] ?? FrameArea(rows: 0..<0, columns: 0..<0)
    }

    /// The sizes of the panes.
    func room(chart options: ChartPaneOptions) -> PaneSizes {
        let volume = ChartPane.volumeRows(in: area(.chart), options: options)
        return PaneSizes(
            bookRows: BookLayout(area(.book)).levels.count,
            tradeRows: TradeTableLayout(area(.trades)).rows.count,
            chartColumns: area(.chart).columns.count - Self.axisColumns,
            volumeRows: volume?.possible,
            volumeRowsUsual: volume?.present ?? 0
        )
    }

    /// The usual width of the chart's axis.
    private static let axisColumns = 13
}
