public import DataSourceContracts

/// The findings of a check of a store's whole file.
public struct StoreCheck: Sendable, Hashable {
    /// A table and its number of rows.
    public struct Table: Sendable, Hashable {
        /// The name of the table.
        public var name: String
        /// Number of rows.
        public var rows: Int64
    }

    /// The candles of one market and interval.
    public struct Series: Sendable, Hashable {
        /// Its key.
        public var series: CandleSeriesDTO
        /// Number of candles.
        public var candles: Int
        /// Open time of the oldest candle, microseconds since 1970 UTC.
        public var oldest: Int64
        /// Open time of the newest candle, microseconds since 1970 UTC.
        public var newest: Int64
        /// Number of gaps between them: times without a candle that no span covers.
        public var gapCount: Int
        /// The first 100 gaps, ascending.
        public var gaps: [StoredCandlesDTO.Span]
    }

    /// The path of the file.
    public var path: String
    /// The size of the file.
    public var size: StoreSize
    /// Problems, as text for people.
    ///
    /// Damage, violated foreign keys, and an incompatible schema: with names of tables, never with
    /// values.
    public var problems: [String]
    /// The state of each migration.
    public var migrations: [StoreMigration]
    /// The tables with user and market data, in order of the migrations.
    public var tables: [Table]
    /// Every series that has a candle, by feed, market and interval.
    public var series: [Series]

    /// Whether there are no problems.
    public var isSound: Bool { problems.isEmpty }
}

/// The size of a store on disk, in bytes.
public struct StoreSize: Sendable, Hashable {
    /// The size of the main file.
    public var file: Int64
    /// The size of the write-ahead log, `hoga.sqlite-wal`.
    public var changes: Int64

    /// The sum of both.
    public var total: Int64 { file + changes }
}
