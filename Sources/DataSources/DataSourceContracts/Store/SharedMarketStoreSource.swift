/// A store of market data that several processes share, of which one at a time writes.
///
/// Everybody reads. Who may write what is of a feed holds the lease of that feed: only
/// ``fenced(by:)`` writes, and each write makes sure in its own transaction that the lease is still
/// the one of the last holder, so that a process that slept through the end of its lease changes
/// nothing. Writes without a lease, and of another feed than the lease's, are refused as `fenced`.
/// What concerns all feeds, room for candles and the end of old ones, is done by the holder of any.
public protocol SharedMarketStoreSource: MarketStoreSource, LeaseSource {
    /// The same store, writing as the holder of a lease; its writes throw `fenced` once another
    /// took the lease over or it ran out.
    func fenced(by lease: LeaseDTO) -> any MarketStoreSource & MinuteStoreSource
}

/// The leases on writing market data, one of each feed: who may, until when, by the store's own
/// clock.
public protocol LeaseSource: Sendable {
    /// Takes the lease of a feed if nobody holds it; those of other feeds do not matter.
    ///
    /// - Parameters:
    ///   - holder: a name of this process that no other has, told by `hoga store check`.
    ///   - feed: `live` or `simulated`.
    ///   - duration: how long it is held without being renewed.
    /// - Returns: nil while another holds it. The same holder gets a new epoch. What is held for
    ///   more than ten times `duration` from now on is no lease of today's clock, and is taken.
    /// - Throws: ``StoreError``: `busy` while a write of the last holder is under way.
    func takeLease(
        holder: String,
        feed: String,
        for duration: Duration
    ) async throws(StoreError) -> LeaseDTO?

    /// Holds a lease for another `duration` from now on.
    ///
    /// - Returns: false if it ran out or another took it: it is lost then.
    func renewLease(_ lease: LeaseDTO, for duration: Duration) async throws(StoreError) -> Bool

    /// Gives a lease back, so that another need not wait until it runs out.
    func releaseLease(_ lease: LeaseDTO) async throws(StoreError)
}

/// A lease as it was taken.
public struct LeaseDTO: Sendable, Hashable {
    /// Whose market data it lets write: `live` or `simulated`.
    public var feed: String
    /// Who holds it.
    public var holder: String
    /// Grows whenever the lease of the feed is taken.
    public var epoch: Int64

    /// Makes a lease.
    public init(feed: String, holder: String, epoch: Int64) {
        self.feed = feed
        self.holder = holder
        self.epoch = epoch
    }
}

/// Keeps the candles that are made of the trades of all markets.
public protocol MinuteStoreSource: Sendable {
    /// Keeps candles of one minute made of trades, and notes which minutes they are all of.
    ///
    /// Rows follow the rule of ``MarketStoreSource/saveCandles(_:)``. Within the covered times a
    /// market without a candle had no trade: they count as spans of every series of the interval
    /// `1m` of that feed. A row outside of them is kept all the same.
    func saveMinutes(_ minutes: MinuteCandleBatchDTO) async throws(StoreError)

    /// Makes longer candles, `3m` to `24h`, of those of one minute.
    ///
    /// Of every market those buckets are made that have closed by `until`, that the candles of one
    /// minute cover whole, as recordings or readings of the market told, and of which a minute was
    /// written since they were made last. A candle that was fetched from the exchange later than
    /// the newest of its minutes stands. The buckets count as spans of their series afterwards.
    ///
    /// - Returns: how many candles were written that were not there as they are.
    func rollUp(feed: String, until: Int64) async throws(StoreError) -> Int

    /// What is covered of a feed: ascending, apart from each other.
    func coveredMinutes(feed: String) async throws(StoreError) -> [StoredCandlesDTO.Span]

    /// Makes room for candles of the coming days; cheap when there is.
    func prepare(at: Int64) async throws(StoreError)
}

/// Candles of one minute of many markets, made of the stream's trades.
public struct MinuteCandleBatchDTO: Sendable, Hashable {
    /// A candle of a market.
    public struct Row: Sendable, Hashable {
        /// `BTC_KRW`.
        public var market: String
        /// The numbers; `fetchedAt` is the time of the newest trade in it.
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
    /// The whole minutes in which every trade of every market was seen.
    public var covered: [StoredCandlesDTO.Span]

    /// Makes a recording.
    public init(feed: String, rows: [Row], covered: [StoredCandlesDTO.Span]) {
        self.feed = feed
        self.rows = rows
        self.covered = covered
    }
}
