import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "Longer candles equal a reference store after any writes and removals",
    .enabled(if: TestDatabase.isAvailable),
    .tags(.manyCases)
)
struct RollUpPropertyTests {
    private static let minute: Int64 = 60_000_000
    /// 22:00 in Seoul, so that a day ends within the written time.
    private static let start: Int64 = 1_749_560_400_000_000

    @Test(
        "longer candles equal the reference store after random batches",
        arguments: Cases.seeds(4, of: 6)
    )
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let model = InMemorySharedStore { 0 }
        let lease = try #require(
            try await model.takeLease(holder: "a", feed: "live", for: .seconds(1))
        )
        let naive = model.fenced(by: lease)
        try await SharedStand.with { stand async throws in
            let store = try await stand.leading()
            var fetched: Int64 = 0
            var until: Int64 = 0
            for step in 0..<40 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<5:
                    let minutes = Self.minutes(&fetched, using: &random)
                    try await store.saveMinutes(minutes)
                    try await naive.saveMinutes(minutes)
                case 5, 6:
                    let reading = Self.reading(&fetched, using: &random)
                    try await store.saveCandles(reading)
                    try await naive.saveCandles(reading)
                // Intervals with partitions of their own are removed completely: only one of both.
                case 7 where seed % 2 == 0:
                    let time = Self.start + .random(in: 0...60, using: &random) * Self.minute
                    let intervals = ["1m", "3m", "5m", "10m", "30m"]
                    for source in [store, naive] {
                        _ = try await source.removeCandles(
                            intervals: intervals,
                            openingBefore: time
                        )
                    }
                case 8 where seed % 2 == 1: try await store.prepare(at: Self.start)
                default:
                    until = max(until, .random(in: 0...400, using: &random))
                    let end = Self.start + until * Self.minute
                    let count = try await store.rollUp(feed: "live", until: end)
                    let expected = try await naive.rollUp(feed: "live", until: end)
                    #expect(count == expected, "seed \(seed), step \(step)")
                }
            }
            #expect(
                try await store.coveredMinutes(feed: "live")
                    == naive.coveredMinutes(feed: "live")
            )
            for market in ["A", "B", "C"] {
                for interval in ["1m"] + RolledInterval.allCases.map(\.rawValue) {
                    let series = CandleSeriesDTO(feed: "live", market: market, interval: interval)
                    let kept = try await store.candles(of: series, newest: 999)
                    let expected = try await naive.candles(of: series, newest: 999)
                    #expect(kept == expected, "seed \(seed)")
                }
            }
        }
    }

    private static func row(
        _ minute: Int64,
        _ fetched: inout Int64,
        using random: inout SeededGenerator
    ) -> StoredCandlesDTO.Row {
        // All different: the winner of two equal times would depend on the order of builds.
        fetched += 1
        let price = Int.random(in: 2...9, using: &random)
        return StoredCandlesDTO.Row(
            openTime: start + minute * Self.minute,
            open: "\(price)",
            high: "\(price + 1)",
            low: "\(price - 1).5",
            close: "\(price)",
            volume: "0.\(Int.random(in: 1...9, using: &random))",
            fetchedAt: start + fetched * 4 - (Bool.random(using: &random) ? 0 : 4_001)
        )
    }

    private static func span(
        using random: inout SeededGenerator
    ) -> StoredCandlesDTO.Span {
        let from = Int64.random(in: 0...300, using: &random)
        let to = from + .random(in: 1...90, using: &random)
        return .init(from: start + from * minute, to: start + to * minute)
    }

    private static func minutes(
        _ fetched: inout Int64,
        using random: inout SeededGenerator
    ) -> MinuteCandleBatchDTO {
        // Sometimes more rows than are written as parameters.
        let count = [3, 40, 300].randomElement(using: &random) ?? 3
        var rows: [MinuteCandleBatchDTO.Row] = []
        for _ in 0..<count {
            let market = ["A", "B", "C"].randomElement(using: &random) ?? "A"
            let candle = row(.random(in: 0...390, using: &random), &fetched, using: &random)
            rows.append(.init(market: market, candle: candle))
        }
        let spans = (0..<Int.random(in: 0...2, using: &random)).map { _ in span(using: &random) }
        return MinuteCandleBatchDTO(feed: "live", rows: rows, covered: spans)
    }

    private static func reading(
        _ fetched: inout Int64,
        using random: inout SeededGenerator
    ) -> StoredCandlesDTO {
        let interval = ["1m", "1m", "3m", "1h"].randomElement(using: &random) ?? "1m"
        let market = ["A", "B"].randomElement(using: &random) ?? "A"
        let grid: Int64 = interval == "1m" ? 1 : interval == "3m" ? 3 : 60
        let open = Int64.random(in: 0...390, using: &random) / grid * grid
        let isMinute = interval == "1m"
        return StoredCandlesDTO(
            series: CandleSeriesDTO(feed: "live", market: market, interval: interval),
            rows: [row(open, &fetched, using: &random)],
            spans: isMinute ? [span(using: &random)] : []
        )
    }
}
