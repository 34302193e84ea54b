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
        StoredCandlesDTO.Row(
            openTime: time,
            open: "1",
            high: "1",
            low: "1",
            close: "1",
            volume: "1",
            fetchedAt: today
        )
    }

    /// Writes candles that open a number of days from today.
    private static func keep(
        _ interval: String,
        days: [Int64],
        spans: [Span] = [],
        in store: any MarketStoreSource
    ) async throws {
        let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: interval)
        let rows = days.map { row(today + $0 * day + 6 * hour) }
        try await store.saveCandles(StoredCandlesDTO(series: series, rows: rows, spans: spans))
    }

    /// Open times of the stored candles of an interval, in days from today.
    private static func days(
        _ interval: String,
        in store: any MarketStoreSource
    ) async throws -> [Int64] {
        let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: interval)
        let rows = try await store.candles(of: series, newest: 999).rows
        return rows.map { ($0.openTime - today - 6 * hour) / day }
    }

    /// Names of the partitions of a kind, without the default one.
    private static func partitions(_ kind: String, in database: TestDatabase) async throws -> String
    {
        try await database.execute(
            """
            SELECT string_agg(substr(relname, length('\(kind)_') + 1), ' ' ORDER BY relname)
            FROM pg_inherits JOIN pg_class ON oid = inhrelid
            WHERE inhparent = 'hoga.\(kind)'::regclass AND relname NOT LIKE '%rest'
            """
        )
    }

    @Test(
        "1m candles older than 30 days are removed unless newer ones share their partition"
    )
    func daysOfMinutes() async throws {
        try await SharedStand.with { stand async throws in
            let store = try await stand.leading()
            try await store.prepare(at: Self.today)
            // The first is before all partitions, the last after them: both in the default
            // partition.
            try await Self.keep("1m", days: [-90, -30, -21, -20, -19, 0, 40], in: store)
            for interval in Self.minutes + ["1h", "24h"] {
                try await Self.keep(interval, days: [-90, -30, 0], in: store)
            }
            // Ten days later, at noon.
            let limit = Self.today - 20 * Self.day + 12 * Self.hour
            let removed = try await store.removeCandles(
                intervals: ["1m"],
                openingBefore: limit
            )
            #expect(removed == 3)
            #expect(try await Self.days("1m", in: store) == [-20, -19, 0, 40])
            for interval in Self.minutes + ["1h", "24h"] {
                #expect(try await Self.days(interval, in: store) == [-90, -30, 0])
            }
            let left = try await Self.partitions("candles_1m", in: stand.database)
            #expect(left.hasPrefix("2025_05_21 2025_05_22 "))
            #expect(left.hasSuffix(" 2025_06_13"))
            let months = try await Self.partitions("candles_minutes", in: stand.database)
            #expect(months == "2024_12 2025_01 2025_02 2025_03 2025_04 2025_05 2025_06 2025_07")
            let again = try await store.removeCandles(intervals: ["1m"], openingBefore: limit)
            #expect(again == 0)
        }
    }

    @Test(
        "months of 3m to 30m candles are removed together; of some of these intervals, row by row"
    )
    func months() async throws {
        try await SharedStand.with { stand async throws in
            let store = try await stand.leading()
            try await store.prepare(at: Self.today)
            // 2024-10-03, 2025-01-01, 2025-02-02, 2025-02-20, today, 2025-09-18
            let days: [Int64] = [-250, -160, -128, -110, 0, 100]
            for interval in ["1m", "1h"] + Self.minutes {
                try await Self.keep(interval, days: days, in: store)
            }
            // 2025-02-10
            let limit = Self.today - 120 * Self.day
            let some = try await store.removeCandles(
                intervals: ["3m", "5m"],
                openingBefore: limit
            )
            #expect(some == 6)
            for interval in ["3m", "5m"] {
                #expect(try await Self.days(interval, in: store) == [-110, 0, 100])
            }
            #expect(try await Self.days("10m", in: store) == days)
            let before = try await Self.partitions("candles_minutes", in: stand.database)
            #expect(before.hasPrefix("2024_12 2025_01 2025_02 "))
            let all = try await store.removeCandles(
                intervals: Self.minutes,
                openingBefore: limit
            )
            // Of two intervals those in the default partition and January; February has not ended.
            #expect(all == 4)
            for interval in ["10m", "30m"] {
                #expect(try await Self.days(interval, in: store) == [-128, -110, 0, 100])
            }
            #expect(try await Self.days("1m", in: store) == days)
            #expect(try await Self.days("1h", in: store) == days)
            let left = try await Self.partitions("candles_minutes", in: stand.database)
            #expect(left == "2025_02 2025_03 2025_04 2025_05 2025_06 2025_07")
        }
    }

    @Test("spans of removed times are removed, and nothing else")
    func spans() async throws {
        try await SharedStand.with { stand async throws in
            let store = try await stand.leading()
            try await store.prepare(at: Self.today)
            let span = { (from: Int64, to: Int64) in
                Span(from: Self.today + from * Self.day, to: Self.today + to * Self.day)
            }
            let spans = [span(-29, -25), span(-22, -15), span(-3, -2)]
            for interval in ["1m", "3m", "1h"] {
                try await Self.keep(interval, days: [], spans: spans, in: store)
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
