import Domain

extension MarketDetailScreenState {
    /// How the chart is drawn.
    func chartOptions(now: Timestamp) -> ChartPaneOptions {
        var options = ChartPaneOptions(span: chartSpan(now: now))
        options.style =
            chart.showsTicks
            ? .ticks
            : {
                switch chart.style {
                case .candles: .candles
                case .line: .line
                }
            }()
        options.isPercent = chart.isPercent
        options.averages = chart.averages
        options.studies = chart.studies
        options.showsComparison = chart.shownComparison != nil
        options.showsVolume = chart.showsVolume
        options.volumeRows = chart.volumeRows
        options.crosshair = chart.crosshair
        return options
    }
}
