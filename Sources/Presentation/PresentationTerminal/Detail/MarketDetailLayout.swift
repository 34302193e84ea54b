import Domain
import ViewStates

/// Which rectangle of the screen holds what of a market: a pure plan of a size and a view.
///
/// The chart has all columns, and book and trades share those below it. The part with the focus
/// grows until it has enough rows; further rows go to the other part, and then to both. So a
/// bigger screen never shows less than a smaller one.
struct MarketDetailLayout {
    /// A pane gives rows away only above this height: nine levels a side and their totals.
    static let rowsEnough = 20
    /// The fewest rows of the part without focus.
    private static let rowsLeast = 2
    /// The usual width of the chart's axis.
    static let axisColumns = 13
    /// The width from which the chart shows as many buckets as it can.
    static let columnsEnough = ChartScreenState.bucketsRange.upperBound + axisColumns

    let title = 0
    /// Price and change; nil on a screen too low for them.
    let price: Int?
    /// The row of the pane names if only one pane is visible; nil on low screens.
    let tabs: Int?
    /// Errors and hints; nil on a screen too low for them.
    let bottom: Int?
    /// The visible panes, in their order.
    let visible: [DetailPane]
    /// The rows of the pane titles; none if only one pane is visible.
    let titles: [DetailPane: Int]
    private let areas: [DetailPane: FrameArea]

    init(_ size: TerminalSize, view: DetailView = DetailView()) {
        price = size.rows >= 3 ? 1 : nil
        bottom = size.rows >= 5 ? size.rows - 1 : nil
        let names = size.rows >= 7 ? 2 : nil
        let end = bottom ?? size.rows
        let isChartLeading = view.focus == .chart
        let wanted = view.panes
        let lower = wanted.subtracting([.chart])
        let isStackable = wanted.contains(.chart) && !lower.isEmpty
        // Header, bottom line and two rows of titles.
        let parts = PartRows(size.rows - 5, isChartLeading: isChartLeading)
        var areas: [DetailPane: FrameArea] = [:]
        var titles: [DetailPane: Int] = [:]
        func place(_ columns: [DetailPane: Range<Int>], title: Int?, rows: Range<Int>) {
            for (pane, columns) in columns {
                areas[pane] = FrameArea(rows: rows, columns: columns)
                titles[pane] = title
            }
        }
        if isStackable, let parts {
            place([.chart: 0..<size.columns], title: 2, rows: 3..<(3 + parts.chart))
            let lowerTitle = 3 + parts.chart
            let columns = PairColumns(size.columns, lower, focus: view.focus).columns
            place(columns, title: lowerTitle, rows: (lowerTitle + 1)..<end)
            tabs = nil
        } else {
            let start = names.map { $0 + 1 } ?? (price ?? title) + 1
            // The next rows belong to the other part, as soon as it has the fewest that it needs.
            let count = min(end - start, isStackable ? Self.rowsEnough : end)
            let rows = start..<max(start + count, start)
            let shown = isChartLeading || lower.isEmpty ? [view.focus] : lower
            let isPair = names != nil && shown.count > 1
            let columns =
                isPair
                ? PairColumns(size.columns, shown, focus: view.focus).columns
                : [view.focus: 0..<size.columns]
            place(columns, title: columns.count > 1 ? names : nil, rows: rows)
            tabs = columns.count > 1 ? nil : names
        }
        self.areas = areas
        self.titles = titles
        visible = DetailPane.allCases.filter { areas[$0] != nil }
    }

    /// The panes that are not visible, in their order.
    var hidden: [DetailPane] { DetailPane.allCases.filter { areas[$0] == nil } }

    /// The area of a pane.
    func area(_ pane: DetailPane) -> FrameArea {
        areas[pane] ?? FrameArea(rows: 0..<0, columns: 0..<0)
    }

    /// The line between book and trades; nil if not both are visible.
    var divider: (column: Int, rows: Range<Int>)? {
        guard let title = titles[.trades], areas[.book] != nil else { return nil }
        let book = area(.book)
        return (book.columns.upperBound, title..<book.rows.upperBound)
    }

    /// How many buckets the chart has columns for.
    static func buckets(in area: FrameArea) -> Int { area.columns.count - axisColumns }

    /// The rows of the chart and of the panes below it; nil if they do not fit above each other.
    private struct PartRows {
        let chart: Int

        init?(_ rows: Int, isChartLeading: Bool) {
            let enough = MarketDetailLayout.rowsEnough
            guard rows >= enough + MarketDetailLayout.rowsLeast else { return nil }
            let spare = rows - 2 * enough
            chart = spare > 0 ? enough + spare / 2 : isChartLeading ? enough : rows - enough
        }
    }
}

/// Divides the columns below the chart between book and trades.
///
/// The pane with the focus keeps all its columns of figures; the other one appears beside it as
/// soon as it can show its most important ones.
private struct PairColumns {
    /// Key figures, strength, bars and cumulative quantities fit.
    private static let bookEnough = 72
    /// Names of the key figures and times of the newest trades fit.
    private static let bookAmple = 96
    /// Prices and quantities fit.
    private static let bookLeast = 48
    /// All columns fit.
    private static let tradesEnough = 47
    /// The columns fit with wider gaps.
    private static let tradesAmple = 56
    /// All but the amounts fit.
    private static let tradesLeast = 36

    let columns: [DetailPane: Range<Int>]

    init(_ width: Int, _ panes: Set<DetailPane>, focus: DetailPane) {
        // The book represents both while another pane has the focus.
        let lead = focus != .chart && panes.contains(focus) ? focus : .book
        guard panes.isSuperset(of: [.book, .trades]),
            let book = Self.book(of: width - 1, isTradesLeading: lead == .trades)
        else {
            columns = [panes.count == 1 ? panes.first ?? lead : lead: 0..<width]
            return
        }
        columns = [.book: 0..<book, .trades: (book + 1)..<width]
    }

    /// The columns of the book out of those of both; nil if both do not fit.
    private static func book(of both: Int, isTradesLeading: Bool) -> Int? {
        let spare = both - bookEnough - tradesEnough
        guard spare < 0 else {
            let wider = max(spare - (tradesAmple - tradesEnough), 0)
            let ample = min(wider, bookAmple - bookEnough)
            return bookEnough + ample + (wider - ample) * 2 / 3
        }
        let least = isTradesLeading ? bookLeast + tradesEnough : bookEnough + tradesLeast
        guard both >= least else { return nil }
        return isTradesLeading ? both - tradesEnough : bookEnough
    }
}
