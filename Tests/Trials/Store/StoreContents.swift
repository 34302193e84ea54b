import DataSourceContracts

/// Everything that can be read of a store, in which nothing else writes meanwhile.
struct StoreContents: Hashable {
    /// The series of candles that trials write.
    static let series = ["BTC_KRW", "ETH_KRW"].flatMap { market in
        ["1m", "10m"].map { CandleSeriesDTO(feed: StoreCall.feed, market: market, interval: $0) }
    }
    private static let rowsMax = 100_000

    private let export: UserExportDTO
    /// The number of writes, if the store counts them: a deployment counts changed parts.
    private let changeCount: Int64?
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
    init(of store: TrialStore, at time: Int64) async throws(StoreError) {
        let feed = StoreCall.feed
        let user = StoreCall.user
        var export = try await store.accounts.export(name: user.name)
        // The time of the first migration.
        export.user.addedAt = 0
        if store.isShared { export.tokens = export.tokens.map(\.withoutServerTimes) }
        self.export = export
        changeCount =
            store.isShared ? nil : try await store.records.changeCount(of: user.number)
        alertLog = try await store.alerts.alertLog(
            of: user.number,
            before: nil,
            count: Self.rowsMax
        )
        owners = try await store.alerts.alertOwners(nil, feed: feed)
        books = try await store.alerts.alertBooks(feed: feed)
        values = try await store.alerts.alertValues(feed: feed)
        var candles: [StoredCandlesDTO] = []
        for series in Self.series {
            candles.append(
                try await store.market.candles(of: series, newest: Self.rowsMax, before: nil)
            )
        }
        self.candles = candles
        prices = try await store.market.closes(feed: feed)
        names = try await store.market.names(feed: feed)
        warnings = try await store.market.marks(feed: feed)
        deliveries = try await store.webhooks.webhookDeliveries(of: nil, feed: feed, at: time)
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
