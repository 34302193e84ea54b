public import DataSourceContracts

/// A shared store of market data that is written only while this process leads.
///
/// Reading is always possible. A write while another process leads is refused as `fenced`: the
/// other process writes the same data, so the value is discarded. While the leader is unknown, the
/// store is `unavailable`. Without an election nothing is ever written, for programs that only
/// read: `forbidden`.
public struct LeaderStore: MarketStoreSource {
    private let store: any SharedMarketStoreSource
    private let election: LeaderElection?

    /// Makes a view of a store.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - election: tells whether this process leads; nil if it never does.
    public init(_ store: any SharedMarketStoreSource, election: LeaderElection?) {
        self.store = store
        self.election = election
    }

    /// Writes candles as the leader.
    public func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        try await write { store throws(StoreError) in try await store.saveCandles(candles) }
    }

    /// Removes candles as the leader.
    public func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        try await write { store throws(StoreError) in
            try await store.removeCandles(intervals: intervals, openingBefore: time)
        }
    }

    /// Prunes the users' journals as the leader.
    public func pruneJournals() async throws(StoreError) {
        try await write { store throws(StoreError) in try await store.pruneJournals() }
    }

    /// Writes last prices as the leader.
    public func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError) {
        try await write { store throws(StoreError) in
            try await store.savePrices(closes, feed: feed)
        }
    }

    /// Replaces names as the leader.
    public func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        try await write { store throws(StoreError) in
            try await store.saveNames(names, feed: feed)
        }
    }

    /// Replaces warnings as the leader.
    public func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError) {
        try await write { store throws(StoreError) in
            try await store.saveWarnings(marks, feed: feed)
        }
    }

    /// The newest candles of a market.
    public func candles(
        of series: CandleSeriesDTO,
        newest count: Int,
        before end: Int64?
    ) async throws(StoreError) -> StoredCandlesDTO {
        try await store.candles(of: series, newest: count, before: end)
    }

    /// All last prices of a feed.
    public func closes(feed: String) async throws(StoreError) -> [StoredPriceDTO] {
        try await store.closes(feed: feed)
    }

    /// The names of coins of a feed.
    public func names(feed: String) async throws(StoreError) -> StoredNamesDTO? {
        try await store.names(feed: feed)
    }

    /// The warnings of a feed.
    public func marks(feed: String) async throws(StoreError) -> StoredWarningsDTO? {
        try await store.marks(feed: feed)
    }

    private func write<Value: Sendable>(
        _ call: (any MarketStoreSource) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard let election else {
            throw StoreError(.forbidden, "this program only reads market data")
        }
        await election.untilAsked()
        guard let lease = election.lease else {
            throw election.isLedByAnother
                ? StoreError(.fenced, "another instance writes market data")
                : StoreError(.unavailable, "the writer of market data is unknown")
        }
        do throws(StoreError) {
            return try await call(store.fenced(by: lease))
        } catch {
            if error.code == .fenced { election.noteFenced(lease) }
            throw error
        }
    }
}
