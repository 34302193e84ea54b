public import Domain
public import ViewStates

/// Draws the chart: a pure function of candles or trades, the user's settings and a rectangle.
///
/// The first row shows the figures of one candle. Below are the legend of the averages, the prices
/// with their axis on the right, the volume and the times. A small area drops parts in the order
/// legend, volume, times, title; a narrow one drops the axis.
public enum ChartPane: Sendable {
    /// Draws the chart inside a rectangle.
    ///
    /// The cost depends on the visible buckets and the size, not on the number of candles.
    ///
    /// - Parameters:
    ///   - chart: candles; those outside the visible span are ignored.
    ///   - trades: for the tick line, newest first; nil if none are loaded.
    ///   - options: the user's settings.
    ///   - quote: the quote currency, which decides the price decimals.
    ///   - theme: themes without colors label the averages.
    ///   - language: the language of labels.
    ///   - frame: the frame to draw into.
    ///   - area: the rectangle, clamped to the frame.
    public static func draw(
        chart: ChartViewState,
        trades: TradesViewState?,
        options: ChartPaneOptions,
        quote: Quote,
        theme: Theme,
        language: Language,
        into frame: inout Frame,
        area: FrameArea
    ) {
        let area = area.clamped(to: FrameArea(frame.size))
        if area.isEmpty { return }
        let isTicks = options.style == .ticks
        let context = ChartContext(
            options: options,
            quote: quote,
            theme: theme,
            language: language,
            health: isTicks ? trades?.health ?? chart.health : chart.health
        )
        if isTicks {
            TickCanvas(trades: trades, health: chart.health, context: context, area: area)
                .draw(in: &frame)
        } else {
            ChartCanvas(chart: chart, context: context, area: area).draw(in: &frame)
        }
    }

    /// The possible and current heights of the volume in an area, its divider included; nil if it
    /// does not fit.
    public static func volumeRows(
        in area: FrameArea,
        options: ChartPaneOptions
    ) -> (possible: ClosedRange<Int>, present: Int)? {
        let layout = ChartLayout(area: area, options: options)
        guard let possible = layout.possibleVolumeRows, let present = layout.volumeRows else {
            return nil
        }
        return (possible, present)
    }
}

extension ChartLayout {
    /// The layout that the user's settings ask for.
    init(area: FrameArea, options: ChartPaneOptions) {
        let isTicks = options.style == .ticks
        self.init(
            area: area,
            hasLegend: !isTicks
                && (options.showsComparison || !options.averages.isEmpty
                    || options.studies.contains(.bands)),
            hasVolume: !isTicks && options.showsVolume,
            volumeRows: options.volumeRows,
            studies: isTicks
                ? [] : [.strength, .convergence].filter { options.studies.contains($0) }
        )
    }
}
