public import Domain
public import Presentation

/// Draws the chart: a pure function of candles or trades, the user's settings and a rectangle.
///
/// The first row tells the figures of one candle; below lie the legend of the averages, the prices
/// with their axis on the right, the volume, and the times. On a small area the parts go in the
/// order legend, volume, times, figures, axis.
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
    ///   - theme: without colours, rises are hollow and averages carry labels.
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
    }

    /// How many rows the volume can have in an area, its divider included; nil if it has no room.
    ///
    /// For keys that move the divider: the present height is the second value.
    public static func volumeRows(
        in area: FrameArea,
        options: ChartPaneOptions
    ) -> (possible: ClosedRange<Int>, present: Int)? {
        nil
    }
}
