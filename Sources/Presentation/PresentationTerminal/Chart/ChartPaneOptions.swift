public import Domain

/// The user's chart settings: drawing style and visible time span.
public struct ChartPaneOptions: Sendable, Hashable {
    /// How prices are drawn.
    public enum Style: Sendable, Hashable, CaseIterable {
        /// A body and two wicks per bucket.
        case candles
        /// A line through the last prices of the buckets.
        case line
        /// A line through the newest trades, independent of the interval.
        case ticks
    }

    /// The minimum and maximum number of visible buckets.
    public static let bucketsRange = 20...365
    /// The fewest rows of the price plot and of the volume plot while both are shown, the volume's
    /// with the divider above it.
    public static let paneRowsMin = 4

    /// How prices are drawn.
    public var style: Style
    /// Whether the axis counts percent of the first visible last price.
    public var isPercent: Bool
    /// The averages that are drawn.
    public var averages: Set<MovingAverage>
    /// The other indicators that are drawn: bands over the prices, others in panes below.
    public var studies: Set<ChartStudy>
    /// Whether the chart's second market is drawn, and the axis in percent.
    public var showsComparison: Bool
    /// Whether the volume is drawn below the prices.
    public var showsVolume: Bool
    /// The rows of the volume, its divider included, as far as the area allows; nil for a third.
    public var volumeRows: Int?
    /// When the bucket under the cross-hair opens; nil without a cross-hair.
    public var crosshair: Timestamp?
    /// The visible buckets: from the opening of the first to the opening of the one behind the
    /// last, at most 365 of them.
    public var span: Range<Timestamp>

    /// Candles with all averages and the volume.
    public init(span: Range<Timestamp>) {
        style = .candles
        isPercent = false
        averages = Set(MovingAverage.usual)
        studies = []
        showsComparison = false
        showsVolume = true
        volumeRows = nil
        crosshair = nil
        self.span = span
    }
}
