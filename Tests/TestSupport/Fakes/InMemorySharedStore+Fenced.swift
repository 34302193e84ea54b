public import DataSourceContracts

/// Writes without a lease are refused.
extension InMemorySharedStore {
    /// Refused: who writes holds a lease.
    public func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        throw try refusal()
    }

    /// Refused: who writes holds a lease.
    public func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        throw try refusal()
    }

    /// Refused: who writes holds a lease.
    public func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError) {
        throw try refusal()
    }

    /// Refused: who writes holds a lease.
    public func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        throw try refusal()
    }

    /// Refused: who writes holds a lease.
    public func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError) {
        throw try refusal()
    }

    private func refusal() throws(StoreError) -> StoreError {
        try perform { _ in Self.noLease }
    }
}

/// A shared store as the holder of a lease sees it.
struct FencedInMemoryStore: MarketStoreReads, MinuteStoreSource {
    let store: InMemorySharedStore
    let lease: LeaseDTO
    var readings: InMemorySharedStore { store }

    // MARK: Recording

    func saveMinutes(_ minutes: MinuteCandleBatchDTO) async throws(StoreError) {
        try store.perform(holding: lease, of: minutes.feed) { state in
            for row in minutes.rows {
                let series = CandleSeriesDTO(
                    feed: minutes.feed,
                    market: row.market,
                    interval: RolledInterval.source
                )
                state.keep(StoredCandlesDTO(series: series, rows: [row.candle], spans: []))
            }
            state.rolled.cover(minutes.covered, of: minutes.feed)
        }
    }

    func rollUp(feed: String, until: Int64) async throws(StoreError) -> Int {
        try store.perform(holding: lease, of: feed) { state in
            state.rolled.rollUp(&state.market, feed: feed, until: until)
        }
    }

    func coveredMinutes(feed: String) async throws(StoreError) -> [StoredCandlesDTO.Span] {
        try store.perform { $0.rolled.coverage[feed] ?? [] }
    }

    func prepare(at: Int64) async throws(StoreError) {
        try store.perform(holding: lease) { _ in }
    }

    // MARK: What any store of market data does

    func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        try store.perform(holding: lease, of: candles.series.feed) { $0.keep(candles) }
    }

    func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        try store.perform(holding: lease) { state in
            state.rolled.remove(intervals: intervals, before: time)
            return state.market.removeCandles(intervals: intervals, openingBefore: time)
        }
    }

    func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError) {
        try store.perform(holding: lease, of: feed) { $0.market.keep(closes, feed: feed) }
    }

    func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        try store.perform(holding: lease, of: feed) { $0.market.keep(names, feed: feed) }
    }

    func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError) {
        try store.perform(holding: lease, of: feed) { $0.market.keep(marks, feed: feed) }
    }
}

extension InMemorySharedStore.State {
    /// Keeps candles, and notes which minutes have to be rolled up.
    fileprivate mutating func keep(_ candles: StoredCandlesDTO) {
        market.keep(candles)
        rolled.note(candles)
    }
}
