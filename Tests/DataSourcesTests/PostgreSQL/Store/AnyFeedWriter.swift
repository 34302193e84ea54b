import DataSourceContracts
import TestSupport

@testable import DataSourcesPostgreSQL

/// A shared store that acquires the lease of each written feed.
struct AnyFeedWriter: MarketStoreReads {
    let store: PostgreSQLStore
    var readings: PostgreSQLStore { store }

    func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        try await store.leading(candles.series.feed).saveCandles(candles)
    }

    func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        try await store.leading("live").removeCandles(intervals: intervals, openingBefore: time)
    }

    func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError) {
        try await store.leading(feed).savePrices(closes, feed: feed)
    }

    func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        try await store.leading(feed).saveNames(names, feed: feed)
    }

    func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError) {
        try await store.leading(feed).saveWarnings(marks, feed: feed)
    }
}
