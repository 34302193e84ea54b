import DataSources

@testable import DataSourcesPostgreSQL

/// A shared store, writing as the holder of the leases of all feeds: each is taken for a write.
struct EveryFeedsWriter: MarketStoreSource {
    let store: PostgreSQLStore

    private func leading(
        _ feed: String
    ) async throws(StoreError) -> any MarketStoreSource & MinuteStoreSource {
        let lease = try await store.takeLease(holder: "test", feed: feed, for: .seconds(3_600))
        guard let lease else {
            throw StoreError(.fenced, "somebody else holds the lease of a new database")
        }
        return store.fenced(by: lease)
    }

    func keepCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        try await leading(candles.series.feed).keepCandles(candles)
    }

    func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        try await leading("live").removeCandles(intervals: intervals, openingBefore: time)
    }

    func keepCloses(_ closes: [CloseDTO], feed: String) async throws(StoreError) {
        try await leading(feed).keepCloses(closes, feed: feed)
    }

    func keepNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        try await leading(feed).keepNames(names, feed: feed)
    }

    func keepMarks(_ marks: StoredMarksDTO, feed: String) async throws(StoreError) {
        try await leading(feed).keepMarks(marks, feed: feed)
    }

    // MARK: Reading

    func candles(
        of series: CandleSeriesDTO,
        newest count: Int
    ) async throws(StoreError) -> StoredCandlesDTO {
        try await store.candles(of: series, newest: count)
    }

    func closes(feed: String) async throws(StoreError) -> [CloseDTO] {
        try await store.closes(feed: feed)
    }

    func names(feed: String) async throws(StoreError) -> StoredNamesDTO? {
        try await store.names(feed: feed)
    }

    func marks(feed: String) async throws(StoreError) -> StoredMarksDTO? {
        try await store.marks(feed: feed)
    }
}
