public import DataSourceContracts

/// A market store with writes of its own that reads from another store.
public protocol MarketStoreReads: MarketStoreSource {
    /// The type of the other store.
    associatedtype Readings: MarketStoreSource
    /// The store that it reads.
    var readings: Readings { get }
}

extension MarketStoreReads {
    /// Forwards to the other store.
    public func candles(
        of series: CandleSeriesDTO,
        newest count: Int,
        before end: Int64?
    ) async throws(StoreError) -> StoredCandlesDTO {
        try await readings.candles(of: series, newest: count, before: end)
    }

    /// Forwards to the other store.
    public func closes(feed: String) async throws(StoreError) -> [StoredPriceDTO] {
        try await readings.closes(feed: feed)
    }

    /// Forwards to the other store.
    public func names(feed: String) async throws(StoreError) -> StoredNamesDTO? {
        try await readings.names(feed: feed)
    }

    /// Forwards to the other store.
    public func marks(feed: String) async throws(StoreError) -> StoredWarningsDTO? {
        try await readings.marks(feed: feed)
    }
}
