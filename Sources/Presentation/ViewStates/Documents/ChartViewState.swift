public import Domain

/// Candles of one market, each with its moving averages.
///
/// Version 1 had the averages beside the candles; see `ChartViewState+Version1.swift`.
public struct ChartViewState: DetailBlock {
    /// `candles`.
    public static let schemaName = "candles"
    /// Since version 2 the averages are members of the candles.
    public static let schemaVersion = 2
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
        /// The moving averages that end with this candle; nil in exports.
        public var averages: CandleAverages?

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
            priceDirection: DirectionViewState,
            averages: CandleAverages? = nil
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
            self.averages = averages
        }

        /// The opening of the bucket.
        public var rowID: Timestamp { openTime }

        /// The opening as documents write it.
        public static func key(_ id: Timestamp) -> String { TimeText.iso(id) }

        /// Rows of version 1 have no averages: those of the old row stay.
        public func replacing(_ old: Self) -> Self {
            var row = self
            row.averages = averages ?? old.averages
            return row
        }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("Candle", "One candle, with the moving averages that end with it.")
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
            fields.optional("averages", \.averages, only: .shared)
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
    /// The price range of the candles; nil without candles.
    public var range: Range?
    /// Spans without a candle, up to now.
    public var gaps: [GapViewState]
    /// The indicators that a screen asked for; no member of documents.
    public var indicators: ChartIndicators?
    /// The second market that a screen asked for; no member of documents.
    public var comparison: ChartComparison?

    /// Makes a chart.
    public init(
        health: HealthViewState,
        interval: String,
        lastPrice: FixedDecimal?,
        candles: [Candle],
        range: Range?,
        gaps: [GapViewState]
    ) {
        self.health = health
        self.interval = interval
        self.lastPrice = lastPrice
        self.candles = candles
        self.range = range
        self.gaps = gaps
    }

    /// About 500 bytes a candle, half of them its ten averages.
    public var estimatedJSONSize: Int { 1_024 + candles.count * 500 + gaps.count * 120 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Chart", "Candles, ascending, each with averages of price and of volume.")
        fields.add("health", \.health)
        fields.add("interval", \.interval, .values(of: CandleInterval.self))
        fields.add("lastPrice", \.lastPrice)
        fields.rows("candles", \.candles, insert: .last, max: MarketDetailQuery.candlesMax)
        fields.add("range", \.range)
        fields.add("gaps", \.gaps)
        listVersion1(&fields)
    }
}
