import Domain

/// Assigns rows and columns of the area to the parts of the chart.
///
/// A small area drops parts in the order legend, volume, times, title; panes of studies are dropped
/// before the prices get fewer than ``pricesRowsMin`` rows. The axis is dropped if it would leave
/// too few columns for the plot.
struct ChartLayout: Equatable {
    /// The pane of a study: a divider with its figures, the plot below it.
    struct StudyPane: Equatable {
        let study: ChartStudy
        let divider: Int
        let rows: Range<Int>
    }

    private static let legendRowsMin = 10
    private static let timesRowsMin = 5
    private static let titleRowsMin = 3
    private static let plotColumnsMin = 16
    /// The fewest rows of the prices above panes of studies.
    private static let pricesRowsMin = 6
    /// The most rows that a study takes, its divider included.
    private static let studyRowsMax = 8

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
    /// The studies below the volume.
    let studies: [StudyPane]
    /// Panes that are wanted and have no room beside others.
    let hidden: [IndicatorRow]
    /// The times.
    let times: Int?
    /// All columns of the area.
    let columns: Range<Int>

    /// Lays an area out; the studies are those that have panes, from the top.
    init(
        area: FrameArea,
        hasLegend: Bool,
        hasVolume: Bool,
        volumeRows: Int?,
        studies wanted: [ChartStudy] = []
    ) {
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
        studies = Self.studies(wanted, in: rows)
        rows = rows.lowerBound..<(studies.first?.divider ?? rows.upperBound)
        let hiddenStudies = wanted.dropFirst(studies.count).map(IndicatorRow.study)
        let pricesMin = wanted.isEmpty ? ChartPaneOptions.paneRowsMin : Self.pricesRowsMin
        let possible = Self.volumeRows(outOf: rows.count, pricesMin: pricesMin)
        guard hasVolume, let possible else {
            hidden = (hasVolume && !wanted.isEmpty ? [.volume] : []) + hiddenStudies
            prices = rows
            divider = nil
            bars = 0..<0
            return
        }
        hidden = hiddenStudies
        let usual = volumeRows ?? rows.count / 3
        let volume = min(max(usual, possible.lowerBound), possible.upperBound)
        prices = rows.lowerBound..<(rows.upperBound - volume)
        divider = prices.upperBound
        bars = (prices.upperBound + 1)..<rows.upperBound
    }

    /// The panes of the first studies that fit, at the foot of some rows.
    private static func studies(_ wanted: [ChartStudy], in rows: Range<Int>) -> [StudyPane] {
        let least = ChartPaneOptions.paneRowsMin
        let count = min(wanted.count, max(rows.count - pricesRowsMin, 0) / least)
        guard count > 0 else { return [] }
        let height = min(max(rows.count / 6, least), studyRowsMax)
        let start = rows.upperBound - count * height
        return wanted.prefix(count).enumerated().map { place, study in
            let divider = start + place * height
            return StudyPane(
                study: study,
                divider: divider,
                rows: (divider + 1)..<(divider + height)
            )
        }
    }

    /// The rows the volume and its divider take; nil without it.
    var volumeRows: Int? { divider.map { bars.upperBound - $0 } }

    /// The possible volume rows out of those for prices and volume; nil if it does not fit.
    var possibleVolumeRows: ClosedRange<Int>? {
        Self.volumeRows(
            outOf: prices.count + (volumeRows ?? 0),
            pricesMin: ChartPaneOptions.paneRowsMin
        )
    }

    /// The plot columns beside an axis of `wanted` columns; all columns if too few would remain.
    func plotColumns(besideAxis wanted: Int) -> Range<Int> {
        let left = columns.count - wanted
        guard left >= Self.plotColumnsMin else { return columns }
        return columns.lowerBound..<(columns.lowerBound + left)
    }

    private static func volumeRows(outOf rows: Int, pricesMin: Int) -> ClosedRange<Int>? {
        let least = ChartPaneOptions.paneRowsMin
        return rows >= least + pricesMin ? least...(rows - pricesMin) : nil
    }
}
