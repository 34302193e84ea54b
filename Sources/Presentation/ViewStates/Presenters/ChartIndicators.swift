public import Domain

/// The indicators of a chart's candles, in the order of the candles; of screens, never of
/// documents.
public struct ChartIndicators: Sendable, Equatable {
    /// The averages of closes.
    public var averages: [MovingAverage: [FixedDecimal?]]
    /// The Bollinger bands; empty unless selected.
    public var bands: [BollingerBands?]
    /// The relative strength index; empty unless selected.
    public var strength: [FixedDecimal?]
    /// MACD; empty unless selected.
    public var convergence: [MACD.Value?]

    /// The part of a table that belongs to some of its candles.
    init(_ table: IndicatorSeries, _ places: Range<Int>) {
        let places = places.clamped(to: 0..<table.count)
        averages = table.averages.mapValues { Array($0[places]) }
        bands = table.bands.isEmpty ? [] : Array(table.bands[places])
        strength = table.strength.isEmpty ? [] : Array(table.strength[places])
        convergence = table.convergence.isEmpty ? [] : Array(table.convergence[places])
    }

    /// The indicators of candles that are all there are.
    public init(of candles: [ChartViewState.Candle], _ selection: IndicatorSelection) {
        var table = IndicatorSeries(selection)
        table.update(count: candles.count) { (candles[$0].openTime, candles[$0].close) }
        self.init(table, 0..<candles.count)
    }
}

/// A second market whose prices a chart shows in percent; of screens, never of documents.
public struct ChartComparison: Sendable, Equatable {
    /// The last price of a bucket.
    public struct Close: Sendable, Equatable {
        /// When its bucket opens.
        public var openTime: Timestamp
        /// 종가.
        public var price: FixedDecimal
    }

    /// The market of the chart.
    public var first: MarketID
    /// The second market.
    public var market: MarketID
    /// Ascending by time.
    public var closes: [Close]

    /// The comparison of a market with one of which a chart is known.
    public init(of first: MarketID, with market: MarketID, _ chart: ChartViewState) {
        self.first = first
        self.market = market
        closes = chart.candles.map { Close(openTime: $0.openTime, price: $0.close) }
    }
}
