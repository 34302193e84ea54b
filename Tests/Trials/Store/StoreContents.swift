import DataSourceContracts

/// Everything that can be read of a store, in which nothing else writes meanwhile.
struct StoreContents: Hashable {
    /// The series of candles that trials write.
    static let series = ["BTC_KRW", "ETH_KRW"].flatMap { market in
        ["1m", "10m"].map { CandleSeriesDTO(feed: StoreCall.feed, market: market, interval: $0) }
    }
    private static let rowsMax = 100_000

    private let export: UserExportDTO
    private let changeCount: Int64
    private let alertLog: [AlertLogDTO]
    private let owners: [AlertOwnerDTO]
    private let books: [String]
    private let values: [String]
    private let candles: [StoredCandlesDTO]
    private let prices: [StoredPriceDTO]
    private let names: StoredNamesDTO?
    private let warnings: StoredWarningsDTO?
    private let deliveries: [WebhookDeliveryDTO]

    /// Reads a store.
    ///
    /// - Throws: ``StoreError``: as the store.
    init(of store: any TrialStore, at time: Int64) async throws(StoreError) {
        let feed = StoreCall.feed
        let user = StoreCall.user
        var export = try await store.export(name: user.name)
        // The time of the first migration.
        export.user.addedAt = 0
        self.export = export
        changeCount = try await store.changeCount(of: user.number)
        alertLog = try await store.alertLog(of: user.number, before: nil, count: Self.rowsMax)
        owners = try await store.alertOwners(nil, feed: feed)
        books = try await store.alertBooks(feed: feed)
        values = try await store.alertValues(feed: feed)
        var candles: [StoredCandlesDTO] = []
        for series in Self.series {
            candles.append(try await store.candles(of: series, newest: Self.rowsMax, before: nil))
        }
        self.candles = candles
        prices = try await store.closes(feed: feed)
        names = try await store.names(feed: feed)
        warnings = try await store.marks(feed: feed)
        deliveries = try await store.webhookDeliveries(of: nil, feed: feed, at: time)
    }

    /// The names of the parts that differ.
    func differences(from other: StoreContents) -> [String] {
        let parts: [(String, Bool)] = [
            ("record", export.personal == other.export.personal),
            ("tokens", export.tokens == other.export.tokens),
            ("journal", export.journal == other.export.journal),
            ("webhook", export.webhook == other.export.webhook),
            ("export", export == other.export),
            ("number of changes", changeCount == other.changeCount),
            ("alert log", alertLog == other.alertLog),
            ("rules of alerts", owners == other.owners),
            ("books of alerts", books == other.books),
            ("values of alerts", values == other.values),
            ("candles", candles == other.candles),
            ("prices", prices == other.prices),
            ("names", names == other.names),
            ("warnings", warnings == other.warnings),
            ("deliveries", deliveries == other.deliveries),
        ]
        return parts.filter { !$0.1 }.map(\.0)
    }
}
