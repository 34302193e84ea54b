/// Assigns rows and columns of the area to the parts of the chart.
///
/// A small area drops parts in the order legend, volume, times, title. The axis is dropped if it
/// would leave too few columns for the plot.
struct ChartLayout: Equatable {
    private static let legendRowsMin = 10
    private static let timesRowsMin = 5
    private static let titleRowsMin = 3
    private static let plotColumnsMin = 16

    /// The figures of one candle.
    let title: Int?
    /// The averages.
    let legend: Int?
    /// The prices.
    let prices: Range<Int>
    /// The divider, with the figures of the volume; the bars are below it.
    let divider: Int?
    /// The bars of the volume.
    let bars: Range<Int>
    /// The times.
    let times: Int?
    /// All columns of the area.
    let columns: Range<Int>

    init(area: FrameArea, hasLegend: Bool, hasVolume: Bool, volumeRows: Int?) {
        columns = area.columns
        let height = area.rows.count
        var rows = area.rows
        title = height >= Self.titleRowsMin ? rows.lowerBound : nil
        if title != nil { rows = rows.dropFirst() }
        times = height >= Self.timesRowsMin ? rows.upperBound - 1 : nil
        if times != nil { rows = rows.dropLast() }
        let isLegendShown = hasLegend && height >= Self.legendRowsMin
        legend = isLegendShown ? rows.lowerBound : nil
        if isLegendShown { rows = rows.dropFirst() }
        let possible = Self.volumeRows(outOf: rows.count)
        guard hasVolume, let possible else {
            prices = rows
            divider = nil
            bars = 0..<0
            return
        }
        let wanted = volumeRows ?? rows.count / 3
        let volume = min(max(wanted, possible.lowerBound), possible.upperBound)
        prices = rows.lowerBound..<(rows.upperBound - volume)
        divider = prices.upperBound
        bars = (prices.upperBound + 1)..<rows.upperBound
    }

    /// The rows the volume and its divider take; nil without it.
    var volumeRows: Int? { divider.map { bars.upperBound - $0 } }

    /// The possible volume rows out of those for prices and volume; nil if it does not fit.
    var possibleVolumeRows: ClosedRange<Int>? {
        Self.volumeRows(outOf: prices.count + (volumeRows ?? 0))
    }

    /// The plot columns beside an axis of `wanted` columns; all columns if too few would remain.
    func plotColumns(besideAxis wanted: Int) -> Range<Int> {
        let left = columns.count - wanted
        guard left >= Self.plotColumnsMin else { return columns }
        return columns.lowerBound..<(columns.lowerBound + left)
    }

    private static func volumeRows(outOf rows: Int) -> ClosedRange<Int>? {
        let least = ChartPaneOptions.paneRowsMin
        return rows >= 2 * least ? least...(rows - least) : nil
    }
}
