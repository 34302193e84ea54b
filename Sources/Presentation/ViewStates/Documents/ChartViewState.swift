public import Domain

/// Candles of one market with their averages.
public struct ChartViewState: DetailBlock {
    /// `candles`.
    public static let schemaName = "candles"

    /// One candle.
    public struct Candle: Sendable, Equatable, Decodable {
        /// Where a candle's numbers come from.
        public enum Origin: String, Sendable, Equatable, Decodable, CaseIterable {
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
        /// Where the numbers come from.
        public var origin: Origin
        /// Whether REST said otherwise than the trades had.
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
    }

    /// Averages by window: `5`, `10`, `20`, `60`, `120`; each as long as the candles.
    public typealias Averages = [String: [FixedDecimal?]]

    /// Averages of price and volume; nil where there are fewer candles than the window.
    public struct AverageSet: Sendable, Equatable, Decodable {
        /// Of the last prices.
        public var close: Averages
        /// Of the base volumes.
        public var volume: Averages

        /// Makes a set.
        public init(close: Averages, volume: Averages) {
            self.close = close
            self.volume = volume
        }
    }

    /// The lowest and the highest price of the candles.
    public struct Range: Sendable, Equatable, Decodable {
        /// The lowest.
        public var low: FixedDecimal
        /// The highest.
        public var high: FixedDecimal

        /// Makes a range.
        public init(low: FixedDecimal, high: FixedDecimal) {
            self.low = low
            self.high = high
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
    /// The range of the candles; nil without any.
    public var range: Range?
    /// Spans between the candles, and up to now, without one.
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
}
