import DataSourceContracts
import TestSupport

/// A store as its users call it: by the contract of each kind of data.
struct TrialStore: Sendable {
    /// The contracts that every kind of store has in one object; accounts may be in another.
    typealias Sources = AlertStoreSource & MarketStoreSource & TokenStoreSource
        & UserRecordSource & WebhookStoreSource

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
    let isShared: Bool

    /// A store whose market data anybody may write.
    init(_ store: some Sources & UserAccountSource) {
        self.init(store, accounts: store, isShared: false) { _ in store }
    }

    /// A deployment's store, whose market data only the holder of a lease may write.
    init(_ store: some Sources & SharedMarketStoreSource, accounts: some UserAccountSource) {
        self.init(store, accounts: accounts, isShared: true) { lease in
            if let lease { store.fenced(by: lease) } else { store }
        }
    }

    /// The model of a store: of a deployment's if it is shared, else of an embedded one.
    init(model store: InMemoryStore, isShared: Bool) {
        self.init(store, accounts: store, isShared: isShared) { lease in
            if isShared { FencedModel(readings: store, lease: lease) } else { store }
        }
    }

    private init(
        _ store: some Sources,
        accounts: some UserAccountSource,
        isShared: Bool,
        marketWriter: @escaping @Sendable (LeaseDTO?) -> any MarketStoreSource
    ) {
        records = store
        self.accounts = accounts
        tokens = store
        alerts = store
        webhooks = store
        market = store
        self.marketWriter = marketWriter
        self.isShared = isShared
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
