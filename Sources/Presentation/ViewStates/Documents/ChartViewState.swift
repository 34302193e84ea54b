public import Domain

/// Candles of one market and their moving averages.
public struct ChartViewState: DetailBlock {
    /// `candles`.
    public static let schemaName = "candles"
    /// `CandlesState`.
    public static let stateName = "CandlesState"

    /// One candle.
    public struct Candle: KeyedRow {
        /// The source of a candle.
        public enum Origin: String, DocumentValue, CaseIterable {
            /// The store.
            case store
            /// A REST answer.
            case rest
            /// Trades of the stream.
            case live
        }

        /// When its bucket opens.
        public var openTime: Timestamp
        /// 시가.
        public var open: FixedDecimal
        /// 고가.
        public var high: FixedDecimal
        /// 저가.
        public var low: FixedDecimal
        /// 종가.
        public var close: FixedDecimal
        /// 거래량: base volume.
        public var volume: FixedDecimal
        /// The source.
        public var origin: Origin
        /// Whether REST corrected what the trades gave.
        public var corrected: Bool
        /// Whether its bucket is over.
        public var closed: Bool
        /// `close` against `open`.
        public var priceDirection: DirectionViewState

        /// Makes a candle.
        public init(
            openTime: Timestamp,
            open: FixedDecimal,
            high: FixedDecimal,
            low: FixedDecimal,
            close: FixedDecimal,
            volume: FixedDecimal,
            origin: Origin,
            corrected: Bool,
            closed: Bool,
            priceDirection: DirectionViewState
        ) {
            self.openTime = openTime
            self.open = open
            self.high = high
            self.low = low
            self.close = close
            self.volume = volume
            self.origin = origin
            self.corrected = corrected
            self.closed = closed
            self.priceDirection = priceDirection
        }

        /// The opening of the bucket.
        public var rowID: Timestamp { openTime }

        /// The opening as documents write it.
        public static func key(_ id: Timestamp) -> String { TimeText.iso(id) }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("Candle", "One candle.")
            fields.add("openTime", \.openTime)
            fields.add("open", \.open)
            fields.add("high", \.high)
            fields.add("low", \.low)
            fields.add("close", \.close)
            fields.add("volume", \.volume)
            fields.add("origin", \.origin)
            fields.add("corrected", \.corrected)
            fields.add("closed", \.closed)
            fields.add("priceDirection", \.priceDirection)
        }
    }

    /// Averages by window: `5`, `10`, `20`, `60`, `120`; each has one value per candle.
    public typealias Averages = [String: [FixedDecimal?]]

    /// Averages of price and volume; nil where fewer candles than the window precede.
    public struct AverageSet: DocumentObject {
        /// Of the close prices.
        public var close: Averages
        /// Of the base volumes.
        public var volume: Averages

        /// Makes a set.
        public init(close: Averages, volume: Averages) {
            self.close = close
            self.volume = volume
        }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("Averages at each candle.")
            let windows = CandleSeries.averageWindows
            fields.map("close", \.close, names: windows, .schema("Averages"))
            fields.map("volume", \.volume, names: windows, .schema("Averages"))
        }
    }

    /// The lowest and the highest price of the candles.
    public struct Range: DocumentObject {
        /// The lowest.
        public var low: FixedDecimal
        /// The highest.
        public var high: FixedDecimal

        /// Makes a range.
        public init(low: FixedDecimal, high: FixedDecimal) {
            self.low = low
            self.high = high
        }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("PriceRange", "The lowest and the highest price of the candles.")
            fields.add("low", \.low)
            fields.add("high", \.high)
        }
    }

    /// How fresh and complete the candles are.
    public var health: HealthViewState
    /// `1m` to `24h`, `1w`, `1mo`.
    public var interval: String
    /// The price of the last trade.
    public var lastPrice: FixedDecimal?
    /// Ascending by time.
    public var candles: [Candle]
    /// Averages at each candle.
    public var averages: AverageSet
    /// The price range of the candles; nil without candles.
    public var range: Range?
    /// Spans without a candle, up to now.
    public var gaps: [GapViewState]

    /// Makes a chart.
    public init(
        health: HealthViewState,
        interval: String,
        lastPrice: FixedDecimal?,
        candles: [Candle],
        averages: AverageSet,
        range: Range?,
        gaps: [GapViewState]
    ) {
        self.health = health
        self.interval = interval
        self.lastPrice = lastPrice
        self.candles = candles
        self.averages = averages
        self.range = range
        self.gaps = gaps
    }

    /// About 500 bytes a candle, half of them its ten averages.
    public var estimatedJSONSize: Int { 1_024 + candles.count * 500 + gaps.count * 120 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Chart", "Candles, ascending, with averages of price and of volume.")
        fields.add("health", \.health)
        fields.add("interval", \.interval, .values(of: CandleInterval.self))
        fields.add("lastPrice", \.lastPrice)
        fields.rows("candles", \.candles, insert: .last, max: MarketDetailQuery.candlesMax)
        fields.part("averages", \.averages)
        fields.add("range", \.range)
        fields.add("gaps", \.gaps)
    }
}
