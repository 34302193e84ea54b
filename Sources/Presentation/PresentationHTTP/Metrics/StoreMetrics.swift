/// How the store stands, as metrics are made of it.
public struct StoreMetrics: Sendable, Equatable {
    /// How long calls waited for a connection.
    public struct PoolWaitTimes: Sendable, Equatable {
        /// How many calls got a connection since the start.
        public var count: Int
        /// How long they waited for it, all together.
        public var total: Duration
        /// The longest wait of the last minute; nil if there was none.
        public var longestInLastMinute: Duration?

        /// Makes figures.
        public init(count: Int, total: Duration, longestInLastMinute: Duration?) {
            self.count = count
            self.total = total
            self.longestInLastMinute = longestInLastMinute
        }
    }

    /// How the writing of all markets' candles stands.
    public struct Candles: Sendable, Equatable {
        /// Whether this instance writes them.
        public var isLeading: Bool
        /// Whether any instance is known to write them.
        public var isLed: Bool
        /// How far the newest written minute lies behind; nil while another writes.
        public var lag: Duration?
        /// How many candles are held that this instance has not written.
        public var bufferedRows: Int

        /// Makes figures.
        public init(isLeading: Bool, isLed: Bool, lag: Duration?, bufferedRows: Int) {
            self.isLeading = isLeading
            self.isLed = isLed
            self.lag = lag
            self.bufferedRows = bufferedRows
        }
    }

    /// Whether everything is kept; nil without a store.
    public var isUp: Bool?
    /// How long calls waited for connections; nil without a database.
    public var pool: PoolWaitTimes?
    /// How candles are written; nil unless instances share the store.
    public var candles: Candles?

    /// Gathers figures.
    public init(isUp: Bool?, pool: PoolWaitTimes? = nil, candles: Candles? = nil) {
        self.isUp = isUp
        self.pool = pool
        self.candles = candles
    }

    /// The metrics.
    public var families: [MetricFamily] {
        [
            MetricFamily(
                "hoga_store_up",
                .gauge,
                "1 while everything is kept, 0 while the store fails; none without a store.",
                isUp.map { $0 ? 1 : 0 }
            ),
            MetricFamily(
                "hoga_pool_wait_seconds",
                .summary,
                "How long calls waited for a connection to the database; quantile 1 is the longest"
                    + " wait of the last minute.",
                pool.map(Self.samples) ?? []
            ),
            MetricFamily(
                "hoga_candle_leader",
                .gauge,
                "1 while this instance writes the candles of all markets, else 0.",
                candles.map { $0.isLeading ? 1 : 0 }
            ),
            MetricFamily(
                "hoga_candle_led",
                .gauge,
                "1 while this or another instance is known to write candles, 0 while nobody is.",
                candles.map { $0.isLed ? 1 : 0 }
            ),
            MetricFamily(
                "hoga_candle_lag_seconds",
                .gauge,
                "How far the newest written minute lies behind; of the instance that writes alone.",
                candles?.lag?.inSeconds
            ),
            MetricFamily(
                "hoga_candle_buffer_rows",
                .gauge,
                "Candles that this instance holds and has not written; others hold them as well.",
                candles.map { Double($0.bufferedRows) }
            ),
        ]
    }

    private static func samples(_ waits: PoolWaitTimes) -> [MetricFamily.Sample] {
        [
            .init(
                waits.longestInLastMinute?.inSeconds ?? .nan,
                labels: [.init("quantile", "1")]
            ),
            .init(waits.total.inSeconds, suffix: "_sum"),
            .init(Double(waits.count), suffix: "_count"),
        ]
    }
}
