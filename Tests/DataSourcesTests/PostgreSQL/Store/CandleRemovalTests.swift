import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "Old candles are removed by partition, or by row without a partition",
    .enabled(if: TestDatabase.isAvailable)
)
struct CandleRemovalTests {
    private typealias Span = StoredCandlesDTO.Span

    private static let hour: Int64 = 3_600_000_000
    private static let day = 24 * hour
    /// 2025-06-10 00:00 UTC.
    private static let today: Int64 = 1_749_513_600_000_000
    private static let minutes = ["3m", "5m", "10m", "30m"]

    private static func row(_ time: Int64) -> StoredCandlesDTO.Row {
        var row = StoredCandlesDTO.Row(allOf: "1")
        row.openTime = time
        return row
    }

    /// Writes candles of an interval.
    private static func keep(
        _ interval: String,
        at times: [Int64],
        spans: [Span] = [],
        in store: any MarketStoreSource
    ) async throws {
        let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: interval)
        try await store.saveCandles(
            StoredCandlesDTO(series: series, rows: times.map(row), spans: spans)
        )
    }

    /// Open times of the stored candles of an interval.
    private static func times(
        _ interval: String,
        in store: any MarketStoreSource
    ) async throws -> [Int64] {
        let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: interval)
        return try await store.candles(of: series, newest: 999).rows.map(\.openTime)
    }

    /// The number of partitions of a kind.
    private static func partitions(_ kind: String, in database: TestDatabase) async throws -> Int {
        let count = try await database.execute(
            "SELECT count(*) FROM hoga.candle_partitions('\(kind)')"
        )
        return Int(count) ?? 0
    }

    @Test("1m candles of more than 30 days are removed unless newer ones share their partition")
    func daysOfMinutes() async throws {
        try await SharedStand.with { stand async throws in
            let store = try await stand.leading()
            let old = try await stand.database.addOldPartitions("candles_1m", count: 3)
            let count = try await Self.partitions("candles_1m", in: stand.database)
            // Before all partitions, noon of the old ones, in the oldest that is kept, and later.
            let noons = old.map { $0 + 12 * Self.hour }
            let kept = old[0] + 3 * Self.day + 23 * Self.hour
            let all = [old[0] - 60 * Self.day] + noons + [kept, old[0] + 33 * Self.day]
            for interval in ["1m", "3m", "24h"] {
                try await Self.keep(interval, at: all, in: store)
            }
            let first = try await store.removeCandles(
                intervals: ["1m"],
                openingBefore: old[1] + 18 * Self.hour
            )
            // The second day has a candle before the limit, but ends after it.
            #expect(first == 2)
            #expect(try await Self.times("1m", in: store) == Array(all.dropFirst(2)))
            // No limit removes a partition that is kept.
            let rest = try await store.removeCandles(
                intervals: ["1m"],
                openingBefore: old[0] + 90 * Self.day
            )
            #expect(rest == 2)
            #expect(try await Self.times("1m", in: store) == Array(all.dropFirst(4)))
            for interval in ["3m", "24h"] {
                #expect(try await Self.times(interval, in: store) == all)
            }
            #expect(try await Self.partitions("candles_1m", in: stand.database) == count - 3)
            let again = try await store.removeCandles(
                intervals: ["1m"],
                openingBefore: old[1] + 18 * Self.hour
            )
            #expect(again == 0)
        }
    }

    @Test(
        "months of 3m to 30m candles are removed together; of some of these intervals, row by row"
    )
    func months() async throws {
        try await SharedStand.with { stand async throws in
            let store = try await stand.leading()
            let old = try await stand.database.addOldPartitions("candles_minutes", count: 2)
            let count = try await Self.partitions("candles_minutes", in: stand.database)
            let kept = old[1] + 60 * Self.day
            let all = [old[0] - 60 * Self.day] + old + [kept]
            for interval in ["1m", "1h"] + Self.minutes {
                try await Self.keep(interval, at: all, in: store)
            }
            let limit = old[1] + 10 * Self.day
            let some = try await store.removeCandles(
                intervals: ["3m", "5m"],
                openingBefore: limit
            )
            #expect(some == 6)
            for interval in ["3m", "5m"] {
                #expect(try await Self.times(interval, in: store) == [kept])
            }
            #expect(try await Self.times("10m", in: store) == all)
            #expect(try await Self.partitions("candles_minutes", in: stand.database) == count)
            let others = try await store.removeCandles(
                intervals: Self.minutes,
                openingBefore: limit
            )
            // Of two intervals, before all partitions and in the first month; the second has not
            // ended before the limit.
            #expect(others == 4)
            for interval in ["10m", "30m"] {
                #expect(try await Self.times(interval, in: store) == Array(all.dropFirst(2)))
            }
            for interval in ["1m", "1h"] {
                #expect(try await Self.times(interval, in: store) == all)
            }
            #expect(try await Self.partitions("candles_minutes", in: stand.database) == count - 1)
        }
    }

    @Test("spans of removed times are removed, and nothing else")
    func spans() async throws {
        try await SharedStand.with { stand async throws in
            let store = try await stand.leading()
            let span = { (from: Int64, to: Int64) in
                Span(from: Self.today + from * Self.day, to: Self.today + to * Self.day)
            }
            let spans = [span(-29, -25), span(-22, -15), span(-3, -2)]
            for interval in ["1m", "3m", "1h"] {
                try await Self.keep(interval, at: [], spans: spans, in: store)
            }
            try await store.saveMinutes(
                MinuteCandleBatchDTO(
                    feed: "live",
                    rows: [],
                    covered: [span(-28, -24), span(-21, -1)]
                )
            )
            _ = try await store.removeCandles(
                intervals: ["1m"],
                openingBefore: Self.today - 20 * Self.day
            )
            #expect(try await store.coveredMinutes(feed: "live") == [span(-20, -1)])
            let kept = try await stand.database.execute(
                """
                SELECT "interval", (extract(epoch FROM from_time)::bigint - 1749513600) / 86400,
                    (extract(epoch FROM to_time)::bigint - 1749513600) / 86400
                FROM hoga.candle_spans ORDER BY 1, 2
                """
            )
            #expect(
                kept.split(separator: "\n") == [
                    "1h|-29|-25", "1h|-22|-15", "1h|-3|-2", "1m|-20|-15", "1m|-3|-2",
                    "3m|-29|-25", "3m|-22|-15", "3m|-3|-2",
                ]
            )
        }
    }
}
