import DataSourceContracts
import TestSupport

/// A store as its users call it: by the contract of each kind of data.
struct TrialStore: Sendable {
    /// The contracts of a store that is one object.
    typealias Whole = AlertStoreSource & MarketStoreSource & TokenStoreSource
        & UserAccountSource & UserRecordSource & WebhookStoreSource

    let records: any UserRecordSource
    let accounts: any UserAccountSource
    let tokens: any TokenStoreSource
    let alerts: any AlertStoreSource
    let webhooks: any WebhookStoreSource
    /// Market data, for reading.
    let market: any MarketStoreSource
    /// Market data, for writing as the holder of a lease.
    let marketWriter: @Sendable (LeaseDTO?) -> any MarketStoreSource
    /// Whether it is the store of a deployment, whose tokens have the times of its own clock.
    var isShared = false

    /// A store whose market data anybody may write.
    init(_ store: some Whole) {
        self.init(store) { _ in store }
    }

    /// A deployment's store, whose market data only the holder of a lease may write.
    init(
        _ store: some AlertStoreSource & SharedMarketStoreSource & TokenStoreSource
            & UserRecordSource & WebhookStoreSource,
        accounts: some UserAccountSource
    ) {
        records = store
        self.accounts = accounts
        tokens = store
        alerts = store
        webhooks = store
        market = store
        marketWriter = { lease in
            if let lease { store.fenced(by: lease) } else { store }
        }
        isShared = true
    }

    /// The model of a store: of a deployment's if it is shared, else of an embedded one.
    init(model store: InMemoryStore, isShared: Bool) {
        self.init(store) { lease in
            if isShared { FencedModel(readings: store, lease: lease) } else { store }
        }
        self.isShared = isShared
    }

    private init(
        _ store: some Whole,
        marketWriter: @escaping @Sendable (LeaseDTO?) -> any MarketStoreSource
    ) {
        records = store
        accounts = store
        tokens = store
        alerts = store
        webhooks = store
        market = store
        self.marketWriter = marketWriter
    }
}

/// A store in memory whose market data only the holder of a lease may write.
private struct FencedModel: MarketStoreReads {
    let readings: InMemoryStore
    let lease: LeaseDTO?

    private func verify(_ feed: String) throws(StoreError) {
        guard let lease, lease.feed == feed else { throw InMemoryStore.noLease }
        try readings.verify(lease)
    }

    func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        try verify(candles.series.feed)
        try await readings.saveCandles(candles)
    }

    func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        try verify(StoreCall.feed)
        return try await readings.removeCandles(intervals: intervals, openingBefore: time)
    }

    func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError) {
        try verify(feed)
        try await readings.savePrices(closes, feed: feed)
    }

    func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        try verify(feed)
        try await readings.saveNames(names, feed: feed)
    }

    func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError) {
        try verify(feed)
        try await readings.saveWarnings(marks, feed: feed)
    }
}
