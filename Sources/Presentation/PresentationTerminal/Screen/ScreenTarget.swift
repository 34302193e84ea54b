public import Domain
import ViewStates

/// The target of a click.
///
/// Refers to identities, so a click applies to what was visible, even if rows moved.
public enum ScreenTarget: Sendable, Hashable {
    /// A row of a market.
    case market(MarketID)
    /// A row of a coin.
    case coin(Asset)
    /// A row of the holdings.
    case holding(PortfolioScreenState.RowID)
    /// A row of the alerts or of their rules, by its number.
    case alert(Int64)
    /// A part of the page of alerts.
    case alertSection(AlertsScreenState.Section)
    /// A heading that sorts markets.
    case sort(MarketSortKey)
    /// A heading that sorts coins.
    case coinSort(AssetSortKey)
    /// A tab of the list.
    case tab(MarketListTab)
    /// A filter of coins.
    case filter(AssetFilter)
    /// A period of the menu.
    case period(ChangePeriod)
    /// An entry of the palette.
    case entry(String)
    /// A row of the chart's indicators.
    case indicator(IndicatorRow)
    /// A pane of the detail.
    case pane(DetailPane)
    /// The plot of the chart.
    case plot(ChartGrid)
    /// A key that is offered.
    case key(Key)
}

/// How the buckets of a chart stand in the columns of its plot.
public struct ChartGrid: Sendable, Hashable {
    /// Columns for each slot.
    let pitch: Int
    /// Buckets in each slot; more than one only if each slot is one column.
    let folded: Int

    /// How many buckets the one at a column is before the last of a plot; negative to the right of
    /// the plot, where the grid goes on.
    func later(than column: Int, in plot: Range<Int>) -> Int {
        let columns = plot.upperBound - 1 - column
        return Int((Double(columns) / Double(pitch)).rounded(.down)) * folded
    }
}

extension Frame {
    /// The grid of the chart and the columns of its plot; nil without a chart.
    var plot: (grid: ChartGrid, columns: Range<Int>)? {
        for mark in targets.reversed() {
            if case .plot(let grid) = mark.target { return (grid, mark.area.columns) }
        }
        return nil
    }

    /// Marks an area as clickable; later marks take precedence.
    mutating func mark(_ target: ScreenTarget, rows: Range<Int>, columns: Range<Int>) {
        let area = FrameArea(rows: rows, columns: columns).clamped(to: FrameArea(size))
        if !area.isEmpty { targets.append(Target(target: target, area: area)) }
    }

    /// Marks a part of a row as clickable.
    mutating func mark(_ target: ScreenTarget, row: Int, columns: Range<Int>) {
        mark(target, rows: row..<(row + 1), columns: columns)
    }

    /// The click target of a cell; nil without one.
    public func target(row: Int, column: Int) -> ScreenTarget? {
        targets.last { $0.area.rows.contains(row) && $0.area.columns.contains(column) }?.target
    }
}
