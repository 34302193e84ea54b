public import DataSources

/// A shared store of market data for one who writes only while it leads.
///
/// Everybody reads. What is written while another leads is refused as `fenced`: it is the other's
/// to write, and whoever gets that answer lets go of it. While nobody can tell who leads, the store
/// is `unavailable`. Without a leadership nothing is ever written, as by programs that only look:
/// that is `forbidden`.
public struct LeadingStore: MarketStoreSource {
    private let store: any SharedMarketStoreSource
    private let leadership: CandleLeadership?

    /// Makes a view of a store.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - leadership: who says whether this process leads; nil if it never does.
    public init(_ store: any SharedMarketStoreSource, leadership: CandleLeadership?) {
        self.store = store
        self.leadership = leadership
    }

    /// Keeps candles as the leader.
    public func keepCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        try await write { store throws(StoreError) in try await store.keepCandles(candles) }
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

    /// Keeps last prices as the leader.
    public func keepCloses(_ closes: [CloseDTO], feed: String) async throws(StoreError) {
        try await write { store throws(StoreError) in
            try await store.keepCloses(closes, feed: feed)
        }
    }

    /// Replaces names as the leader.
    public func keepNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        try await write { store throws(StoreError) in
            try await store.keepNames(names, feed: feed)
        }
    }

    /// Replaces warnings as the leader.
    public func keepMarks(_ marks: StoredMarksDTO, feed: String) async throws(StoreError) {
        try await write { store throws(StoreError) in
            try await store.keepMarks(marks, feed: feed)
        }
    }

    /// The newest candles of a market.
    public func candles(
        of series: CandleSeriesDTO,
        newest count: Int
    ) async throws(StoreError) -> StoredCandlesDTO {
        try await store.candles(of: series, newest: count)
    }

    /// All last prices of a feed.
    public func closes(feed: String) async throws(StoreError) -> [CloseDTO] {
        try await store.closes(feed: feed)
    }

    /// The names of coins of a feed.
    public func names(feed: String) async throws(StoreError) -> StoredNamesDTO? {
        try await store.names(feed: feed)
    }

    /// The warnings of a feed.
    public func marks(feed: String) async throws(StoreError) -> StoredMarksDTO? {
        try await store.marks(feed: feed)
    }

    private func write<Value: Sendable>(
        _ call: (any MarketStoreSource) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard let leadership else {
            throw StoreError(.forbidden, "this program only reads market data")
        }
        await leadership.untilAsked()
        guard let lease = leadership.lease else {
            throw leadership.isLedByAnother
                ? StoreError(.fenced, "another instance writes market data")
                : StoreError(.unavailable, "nobody is known to write market data")
        }
        do throws(StoreError) {
            return try await call(store.fenced(by: lease))
        } catch {
            if error.code == .fenced { leadership.noteFenced(lease) }
            throw error
        }
    }
}
