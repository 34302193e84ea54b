public import Domain
public import ViewStates

/// Draws the chart: a pure function of candles or trades, the user's settings and a rectangle.
///
/// The first row tells the figures of one candle; below lie the legend of the averages, the prices
/// with their axis on the right, the volume, and the times. On a small area the parts go in the
/// order legend, volume, times, figures; the axis goes on a narrow one.
public enum ChartPane: Sendable {
    /// Draws the chart into a rectangle and nothing outside of it.
    ///
    /// The work depends on the visible buckets and the size, not on how many candles exist.
    ///
    /// - Parameters:
    ///   - chart: the candles of the span; others are left out.
    ///   - trades: for the tick line, newest first; nil while there are none.
    ///   - options: what the user has set.
    ///   - quote: what prices are quoted in, for their decimals.
    ///   - theme: without colours averages carry labels.
    ///   - language: of the pane's own words.
    ///   - frame: the picture.
    ///   - area: what of it to draw on; what lies outside of the picture is left out.
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

    /// How many rows the volume can have in an area, its divider included; nil if it has no room.
    ///
    /// For keys that move the divider: the present height is the second value.
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
            hasLegend: !isTicks && !options.averages.isEmpty,
            hasVolume: !isTicks && options.showsVolume,
            volumeRows: options.volumeRows
        )
    }
}
