/// A store of market data that several processes share and one at a time writes.
///
/// All processes read. The holder of a feed's lease writes the data of that feed, only through
/// ``fenced(by:)``. Each write verifies in its own transaction that the lease is still valid, so a
/// process that was suspended beyond the end of its lease changes nothing. Writes without a lease,
/// or of another feed, are refused as `fenced`. Work on all feeds, such as partitions and expiry of
/// candles, is done by the holder of any lease.
public protocol SharedMarketStoreSource: MarketStoreSource, LeaseSource {
    /// The same store with writes fenced by a lease.
    ///
    /// Writes throw `fenced` once the lease was taken over or has expired.
    func fenced(by lease: LeaseDTO) -> any MarketStoreSource & MinuteStoreSource
}

/// Leases for writing market data, one for each feed, timed by the store's own clock.
public protocol LeaseSource: Sendable {
    /// Acquires the lease of a feed if it is free.
    ///
    /// - Parameters:
    ///   - holder: a unique name of this process, shown by `hoga store check`.
    ///   - feed: `live` or `simulated`.
    ///   - duration: how long it is held without renewal.
    /// - Returns: nil while another process holds it. The same holder gets a new epoch. A lease
    ///   that ends more than ten times `duration` from now was taken under a wrong clock, and is
    ///   taken over.
    /// - Throws: ``StoreError``: `busy` while a write of the last holder is in progress.
    func takeLease(
        holder: String,
        feed: String,
        for duration: Duration
    ) async throws(StoreError) -> LeaseDTO?

    /// Extends a lease to `duration` from now.
    ///
    /// - Returns: false if it expired or was taken over: it is lost then.
    func renewLease(_ lease: LeaseDTO, for duration: Duration) async throws(StoreError) -> Bool

    /// Releases a lease, so that another process need not wait for its end.
    func releaseLease(_ lease: LeaseDTO) async throws(StoreError)
}

/// An acquired lease.
public struct LeaseDTO: Sendable, Hashable {
    /// The feed whose data it allows to write: `live` or `simulated`.
    public var feed: String
    /// The name of the holder.
    public var holder: String
    /// Increases whenever the lease of the feed is acquired.
    public var epoch: Int64

    /// Makes a lease.
    public init(feed: String, holder: String, epoch: Int64) {
        self.feed = feed
        self.holder = holder
        self.epoch = epoch
    }
}

/// Stores the candles built from the trades of all markets.
public protocol MinuteStoreSource: Sendable {
    /// Writes one minute candles built from trades, and records the minutes they cover completely.
    ///
    /// Rows follow the rule of ``MarketStoreSource/saveCandles(_:)``. Within the covered times a
    /// market without a candle had no trade: they count as spans of every `1m` series of that feed.
    /// Rows outside them are stored too.
    func saveMinutes(_ minutes: MinuteCandleBatchDTO) async throws(StoreError)

    /// Builds longer candles, `3m` to `24h`, from one minute candles.
    ///
    /// Builds the buckets of every market that have closed by `until`, that one minute candles
    /// cover completely, and of which a minute was written since the last time. A candle fetched
    /// from the exchange after its newest minute stays. The buckets become spans of their series.
    ///
    /// - Returns: the number of candles that were new or different.
    func rollUp(feed: String, until: Int64) async throws(StoreError) -> Int

    /// Covered times of a feed: ascending and disjoint.
    func coveredMinutes(feed: String) async throws(StoreError) -> [StoredCandlesDTO.Span]

    /// Creates partitions for candles of the coming days; cheap if they exist.
    func prepare(at: Int64) async throws(StoreError)
}

/// One minute candles of many markets, built from the stream's trades.
public struct MinuteCandleBatchDTO: Sendable, Hashable {
    /// A candle of a market.
    public struct Row: Sendable, Hashable {
        /// `BTC_KRW`.
        public var market: String
        /// The numbers; `fetchedAt` is the time of its newest trade.
        public var candle: StoredCandlesDTO.Row

        /// Makes a row.
        public init(market: String, candle: StoredCandlesDTO.Row) {
            self.market = market
            self.candle = candle
        }
    }

    /// `live` or `simulated`.
    public var feed: String
    /// The candles, each market and open time once.
    public var rows: [Row]
    /// The whole minutes in which every trade of every market was received.
    public var covered: [StoredCandlesDTO.Span]

    /// Makes a batch.
    public init(feed: String, rows: [Row], covered: [StoredCandlesDTO.Span]) {
        self.feed = feed
        self.rows = rows
        self.covered = covered
    }
}
