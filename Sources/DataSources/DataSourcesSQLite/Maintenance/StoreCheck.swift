public import DataSourceContracts

/// What looking through the whole file of a store has found.
public struct StoreCheck: Sendable, Hashable {
    /// A table and how much is in it.
    public struct Table: Sendable, Hashable {
        /// What it is called.
        public var name: String
        /// How many rows it has.
        public var rows: Int64
    }

    /// The candles of one market and interval.
    public struct Series: Sendable, Hashable {
        /// Which.
        public var series: CandleSeriesDTO
        /// How many there are.
        public var candles: Int
        /// When the oldest opens, microseconds since 1970 UTC.
        public var oldest: Int64
        /// When the newest opens, microseconds since 1970 UTC.
        public var newest: Int64
        /// How many times between them no reading has told anything about.
        public var gapCount: Int
        /// The first 100 of these times, ascending.
        public var gaps: [StoredCandlesDTO.Span]
    }

    /// Where the file is.
    public var path: String
    /// How large it is.
    public var size: StoreSize
    /// What is wrong with it, for people.
    ///
    /// Damage, rows without what they belong to, and a schema that this program cannot live with:
    /// by the names of tables, never by what is in them.
    public var problems: [String]
    /// How each migration stands.
    public var migrations: [StoreMigration]
    /// The tables with what people keep and what markets did, in the order of the migrations.
    public var tables: [Table]
    /// Every series that has a candle, by feed, market and interval.
    public var series: [Series]

    /// Whether nothing is wrong.
    public var isSound: Bool { problems.isEmpty }
}

/// How many bytes a store has on the disk.
public struct StoreSize: Sendable, Hashable {
    /// Of the file.
    public var file: Int64
    /// Of what was written and is not yet in the file: `hoga.sqlite-wal`.
    public var changes: Int64

    /// Of both.
    public var total: Int64 { file + changes }
}
