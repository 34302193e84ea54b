import DataSourceContracts
import DataSourcesSQLite

/// Rounds of writes under one name, and a read of other processes' writes.
struct WriterRun {
    /// The number of favorites with this name at a time.
    static let favoritesMax = 20
    /// The rounds after which the file is closed and opened again.
    private static let roundsUntilClosing = 64

    let store: SQLiteStore
    let name: String
    /// Whether returned calls are not printed one by one.
    var isQuiet = false
    /// The number of returned calls.
    private(set) var calls = 0
    private var round: Int64 = 0
    private var seen: [String: Int64] = [:]

    init(store: SQLiteStore, name: String) {
        self.store = store
        self.name = name
    }

    /// Writes round after round.
    mutating func write(while goesOn: () -> Bool) async throws(StoreError) {
        while goesOn() {
            round += 1
            let (name, round) = (name, round)
            try await update("favorite.add") { $0.favorites.append("\(name)_\(round)") }
            note("favorite")
            if round > Self.favoritesMax {
                let oldest = "\(name)_\(round - Int64(Self.favoritesMax))"
                try await update("favorite.remove") { record in
                    record.favorites.removeAll { $0 == oldest }
                }
            }
            try await update("holding.put") { record in
                record.holdings.removeAll { $0.asset == name }
                record.holdings.append(
                    .init(asset: name, quantity: "\(round)", averagePrice: nil)
                )
            }
            note("holding")
            try await store.saveCandles(candles())
            calls += 1
            note("candle")
            if round % Int64(Self.roundsUntilClosing) == 0 { await store.close() }
        }
    }

    private mutating func update(
        _ kind: String,
        _ change: @escaping @Sendable (inout UserRecordDTO) -> Void
    ) async throws(StoreError) {
        let entry = NewJournalDTO(at: round, kind: kind, subject: name)
        let record = try await store.update(1, entry: entry) { record throws(StoreError) in
            var record = record
            change(&record)
            return record
        }
        calls += 1
        for holding in record.holdings {
            let quantity = Int64(holding.quantity) ?? 0
            // From now on writes of other processes are visible.
            precondition(quantity >= seen[holding.asset] ?? 0, "\(holding.asset) went back.")
            seen[holding.asset] = quantity
        }
    }

    /// Two candles: the newest, which the next round corrects, and the one before.
    private func candles() -> StoredCandlesDTO {
        let minute: Int64 = 60_000_000
        let rows = [round - 1, round].map { number in
            StoredCandlesDTO.Row(
                openTime: number * minute,
                open: "1",
                high: "3",
                low: "0.5",
                close: "\(round)",
                volume: "2",
                fetchedAt: round
            )
        }
        return StoredCandlesDTO(
            series: CandleSeriesDTO(feed: "live", market: name, interval: "1m"),
            rows: rows,
            spans: [.init(from: (round - 1) * minute, to: (round + 1) * minute)]
        )
    }

    private func note(_ what: String) {
        if !isQuiet { say("\(what) \(round)") }
    }
}
