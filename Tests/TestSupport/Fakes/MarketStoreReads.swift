public import DataSourceContracts

/// A store of market data that writes in a way of its own, and reads as another one does.
public protocol MarketStoreReads: MarketStoreSource {
    /// Whose readings it has.
    associatedtype Readings: MarketStoreSource
    /// The store that is read.
    var readings: Readings { get }
}

extension MarketStoreReads {
    /// Those of the store that is read.
    public func candles(
        of series: CandleSeriesDTO,
        newest count: Int
    ) async throws(StoreError) -> StoredCandlesDTO {
        try await readings.candles(of: series, newest: count)
    }

    /// Those of the store that is read.
    public func closes(feed: String) async throws(StoreError) -> [StoredPriceDTO] {
        try await readings.closes(feed: feed)
    }

    /// Those of the store that is read.
    public func names(feed: String) async throws(StoreError) -> StoredNamesDTO? {
        try await readings.names(feed: feed)
    }

    /// Those of the store that is read.
    public func marks(feed: String) async throws(StoreError) -> StoredWarningsDTO? {
        try await readings.marks(feed: feed)
    }
}
