import DataSourceContracts
import DataSourcesPostgreSQL
import Glibc

/// One minute candles into a shared store: `Measure upserts …`.
///
/// `Benchmarks/candle_upserts.py` starts the server and passes the arguments:
///
/// - `prepare OWNER_URL`: migrates.
/// - `write APP_URL ROWS CALL ROUND`: writes ROWS candles, CALL in each call, with the values of a
///   round; prints the seconds it took.
enum CandleUpserts {
    private static let markets = 480
    /// 2025-06-10 00:00 in Seoul.
    private static let start: Int64 = 1_749_481_200_000_000

    /// Runs one of them.
    ///
    /// - Returns: false if it failed, or the arguments are unknown.
    static func run(_ words: [String]) async -> Bool {
        do {
            switch (words.first, words.count) {
            case ("prepare", 2):
                try await withMeasuredPool(words[1]) { pool in
                    _ = try await PostgreSQLSchema(pool: pool).migrate()
                }
            case ("write", 5):
                let numbers = words[2...].compactMap { Int($0) }
                guard numbers.count == 3 else { return false }
                try await withMeasuredPool(words[1]) { pool in
                    try await write(PostgreSQLStore(pool: pool), numbers)
                }
            default: return false
            }
            return true
        } catch {
            print("\(error)")
            return false
        }
    }

    private static func write(_ store: PostgreSQLStore, _ numbers: [Int]) async throws {
        guard
            let lease = try await store.takeLease(
                holder: "bench",
                feed: "live",
                for: .seconds(3_600)
            )
        else {
            throw StoreError(.fenced, "another process holds the lease")
        }
        let writer = store.fenced(by: lease)
        try await writer.prepare(at: start + 86_400_000_000)
        let rows = candles(count: numbers[0], round: numbers[2])
        let clock = ContinuousClock()
        let taken = try await clock.measure {
            var rest = rows[...]
            while !rest.isEmpty {
                let call = Array(rest.prefix(numbers[1]))
                rest = rest.dropFirst(numbers[1])
                try await writer.saveMinutes(.init(feed: "live", rows: call, covered: []))
            }
        }
        let (seconds, attoseconds) = taken.components
        print(Double(seconds) + Double(attoseconds) / 1e18)
    }

    /// Candles in order of market and time.
    private static func candles(count: Int, round: Int) -> [MinuteCandleBatchDTO.Row] {
        let minutes = (count + markets - 1) / markets
        return (0..<count).map { index in
            let (market, minute) = (index / minutes, index % minutes)
            let price = 1_000 + (market * 37 + minute * 11 + round) % 90_000
            let name = "M" + String(1_000 + market).dropFirst() + "_KRW"
            let open = start + Int64(minute) * 60_000_000
            return MinuteCandleBatchDTO.Row(
                market: name,
                candle: StoredCandlesDTO.Row(
                    openTime: open,
                    open: "\(price)",
                    high: "\(price + 7)",
                    low: "\(price - 3)",
                    close: "\(price + 2).5",
                    volume: "0.\(1 + minute % 9)\(1 + market % 9)37",
                    fetchedAt: open + 60_000_000 + Int64(round)
                )
            )
        }
    }
}
