import DataSourceContracts
import DataSourcesSQLite
import Testing

@Suite("The embedded store keeps any text as number, and any time")
struct SQLiteTextTests {
    @Test("every column of a candle is read back")
    func candles() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let store = SQLiteStore(path: "\(folder.path)/hoga.sqlite") { 1 }
        let texts = difficultTexts
        let rows = texts.indices.map { index in
            let text = { (offset: Int) in texts[(index + offset) % texts.count] }
            return StoredCandlesDTO.Row(
                openTime: Int64(index) - 8,
                open: text(0),
                high: text(1),
                low: text(2),
                close: text(3),
                volume: text(4),
                fetchedAt: .max - Int64(index)
            )
        }
        let reading = StoredCandlesDTO(
            series: CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: "10m"),
            rows: rows,
            spans: [.init(from: .min, to: .max)]
        )
        try await store.saveCandles(reading)
        let kept = try await store.candles(of: reading.series, newest: 99)
        #expect(bytes(of: kept) == bytes(of: reading))
    }
}
