/// The metrics of the store.
public struct StoreMetrics: Sendable, Equatable {
    /// Waits for a connection of the pool.
    public struct PoolWaitTimes: Sendable, Equatable {
        /// Calls that got a connection since the start.
        public var count: Int
        /// The sum of their waits.
        public var total: Duration
        /// The longest wait of the last minute; nil without any.
        public var longestInLastMinute: Duration?

        /// Makes figures.
        public init(count: Int, total: Duration, longestInLastMinute: Duration?) {
            self.count = count
            self.total = total
            self.longestInLastMinute = longestInLastMinute
        }
    }

    /// The state of the candle writer.
    public struct Candles: Sendable, Equatable {
        /// Whether this instance writes candles.
        public var isLeading: Bool
        /// Whether any instance is known to write candles.
        public var isLed: Bool
        /// The age of the newest written minute; nil while another instance writes.
        public var lag: Duration?
        /// Candles in memory that this instance has not written.
        public var bufferedRows: Int

        /// Makes figures.
        public init(isLeading: Bool, isLed: Bool, lag: Duration?, bufferedRows: Int) {
            self.isLeading = isLeading
            self.isLed = isLed
            self.lag = lag
            self.bufferedRows = bufferedRows
        }
    }

    /// Whether the store works; nil without a store.
    public var isUp: Bool?
    /// Whether notices of other instances' changes arrive; nil without a session for them.
    public var isHearingNews: Bool?
    /// How late changes by other instances reach open streams; nil unless the store is shared.
    public var newsLatencies: LatencyHistogram?
    /// Whether candles are read from a standby; nil without an address of one.
    public var isReadingStandby: Bool?
    /// The greatest possible age of the standby's data; nil if unknown.
    public var standbyAge: Duration?
    /// Waits for a connection; nil without a database.
    public var pool: PoolWaitTimes?
    /// The candle writer; nil unless instances share the store.
    public var candles: Candles?

    /// Gathers figures.
    public init(
        isUp: Bool?,
        isHearingNews: Bool? = nil,
        newsLatencies: LatencyHistogram? = nil,
        isReadingStandby: Bool? = nil,
        standbyAge: Duration? = nil,
        pool: PoolWaitTimes? = nil,
        candles: Candles? = nil
    ) {
        self.isUp = isUp
        self.isHearingNews = isHearingNews
        self.newsLatencies = newsLatencies
        self.isReadingStandby = isReadingStandby
        self.standbyAge = standbyAge
        self.pool = pool
        self.candles = candles
    }

    /// The metrics.
    public var families: [MetricFamily] {
        [
            MetricFamily(
                "hoga_store_up",
                .gauge,
                "1 while the store works, 0 while it fails; absent without a store.",
                isUp.map { $0 ? 1 : 0 }
            ),
            MetricFamily(
                "hoga_news_up",
                .gauge,
                "1 while notices of other instances' changes arrive, 0 while changes are polled;"
                    + " absent without HOGA_DATABASE_SESSION_URL.",
                isHearingNews.map { $0 ? 1 : 0 }
            ),
            MetricFamily(
                "hoga_news_latency_seconds",
                .histogram,
                "From the start of a change's transaction on another instance to its publication on"
                    + " this one's streams; ages by the database's clock.",
                newsLatencies?.samples ?? []
            ),
            MetricFamily(
                "hoga_standby_up",
                .gauge,
                "1 while candles are read from a standby, 0 while they are read from the primary"
                    + " instead; absent without HOGA_DATABASE_READ_URL.",
                isReadingStandby.map { $0 ? 1 : 0 }
            ),
            MetricFamily(
                "hoga_standby_age_seconds",
                .gauge,
                "Greatest possible age of the standby's data; absent while unknown.",
                standbyAge?.inSeconds
            ),
            MetricFamily(
                "hoga_pool_wait_seconds",
                .summary,
                "Waits for a connection to the database; quantile 1 is the longest"
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
                "1 while any instance is known to write candles, else 0.",
                candles.map { $0.isLed ? 1 : 0 }
            ),
            MetricFamily(
                "hoga_candle_lag_seconds",
                .gauge,
                "Age of the newest written minute; only on the instance that writes.",
                candles?.lag?.inSeconds
            ),
            MetricFamily(
                "hoga_candle_buffer_rows",
                .gauge,
                "Candles in memory that this instance has not written.",
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
