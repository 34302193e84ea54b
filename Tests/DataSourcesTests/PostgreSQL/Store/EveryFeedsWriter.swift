import DataSources
import TestSupport

@testable import DataSourcesPostgreSQL

/// A shared store, writing as the holder of the leases of all feeds: each is taken for a write.
struct EveryFeedsWriter: BorrowedReadings {
    let store: PostgreSQLStore
    var readings: PostgreSQLStore { store }

    func keepCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        try await store.leading(candles.series.feed).keepCandles(candles)
    }

    func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        try await store.leading("live").removeCandles(intervals: intervals, openingBefore: time)
    }

    func keepCloses(_ closes: [CloseDTO], feed: String) async throws(StoreError) {
        try await store.leading(feed).keepCloses(closes, feed: feed)
    }

    func keepNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        try await store.leading(feed).keepNames(names, feed: feed)
    }

    func keepMarks(_ marks: StoredMarksDTO, feed: String) async throws(StoreError) {
        try await store.leading(feed).keepMarks(marks, feed: feed)
    }
}
