import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "A value that PostgreSQL would change is refused without any change",
    .enabled(if: TestDatabase.isAvailable)
)
struct RefusedValueTests {
    /// Malformed or not canonical decimals.
    private static let decimals = [
        "", " ", "NaN", "Infinity", "-Infinity", "1e5", "1E-2", "0x10", "01", "1.0", "1.", ".5",
        "-0", "+1", "1,5", "1 ", "\0", "१", "--1", "-", String(repeating: "9", count: 129),
    ]
    /// Just outside the years 1 to 9999, and far outside.
    private static let times = [
        storedTimes.lowerBound - 1, storedTimes.upperBound + 1, .min, .max,
    ]

    /// Number of rows in each table.
    private static func contents(_ database: TestDatabase) async throws -> String {
        try await database.execute(
            """
            SELECT string_agg(
                relname || query_to_xml('SELECT * FROM hoga.' || relname, true, true, '')::text,
                ' ' ORDER BY relname
            )
            FROM pg_class
            WHERE relnamespace = 'hoga'::regnamespace AND relkind IN ('r', 'p')
                AND relname <> 'instance_lease'
            """
        )
    }

    /// Runs the body, which must change nothing, with a store with rows in every table.
    private static func with(
        _ body: (PostgreSQLStore, any MarketStoreSource & MinuteStoreSource) async throws -> Void
    ) async throws {
        try await SharedStand.with(users: ["local"]) { stand async throws in
            let market = try await stand.leading()
            _ = try await stand.store.write(.putCash("5"), user: 1, at: 1)
            try await market.saveCandles(candles { _ in })
            let before = try await contents(stand.database)
            try await body(stand.store, market)
            #expect(try await contents(stand.database) == before)
        }
    }

    private static func candles(
        _ adjust: (inout StoredCandlesDTO.Row) -> Void
    ) -> StoredCandlesDTO {
        let row = StoredCandlesDTO.Row(allOf: "1")
        var bad = row
        bad.openTime = 60_000_000
        adjust(&bad)
        return StoredCandlesDTO(
            series: CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: "1m"),
            rows: [row, bad],
            spans: [.init(from: 0, to: 60_000_000)]
        )
    }

    @Test("a malformed decimal in a user's record is refused")
    func personalDecimals() async throws {
        try await Self.with { store, _ in
            for decimal in Self.decimals {
                for write in [
                    TestChange.putCash(decimal),
                    .putHolding(.init(asset: "A", quantity: decimal, averagePrice: nil), limit: 9),
                    .putHolding(.init(asset: "A", quantity: "1", averagePrice: decimal), limit: 9),
                ] {
                    let code = await StoreSubject.code { () throws(StoreError) in
                        _ = try await store.write(write, user: 1, at: 1)
                    }
                    #expect(code == .refused, "\(write)")
                }
            }
        }
    }

    @Test("a malformed decimal or time of an alert is refused")
    func alerts() async throws {
        try await Self.with { store, _ in
            let lease = LeaseDTO(feed: "live", holder: "a", epoch: 1)
            let texts = Self.decimals.map { ($0, Int64(1)) } + Self.times.map { ("1", $0) }
            for (value, time) in texts {
                let alert = AlertDTO(
                    rule: 1,
                    market: nil,
                    at: time,
                    value: value,
                    isRise: true,
                    lateness: nil
                )
                let code = await StoreSubject.code { () throws(StoreError) in
                    let new = NewAlertDTO(user: 1, alert: alert, createdAt: 1, state: "")
                    _ = try await store.storeAlerts([new], at: 1, under: lease)
                }
                #expect(code == .refused, "\(value) \(time)")
            }
            for time in Self.times {
                var rule = UserRecordSamples.rule
                rule.createdAt = time
                let code = await StoreSubject.code { () throws(StoreError) in
                    try await store.write(.putAlertRule(rule), user: 1, at: 1)
                }
                #expect(code == .refused, "\(time)")
            }
        }
    }

    @Test("a malformed decimal in market data is refused")
    func marketDecimals() async throws {
        try await Self.with { _, market in
            for decimal in Self.decimals {
                for (index, column) in Self.columns.enumerated() {
                    let code = await StoreSubject.code { () throws(StoreError) in
                        try await market.saveCandles(
                            Self.candles { $0[keyPath: column] = decimal }
                        )
                    }
                    #expect(code == .refused, "\(index) \(decimal)")
                }
                for close in [
                    StoredPriceDTO(market: "A", price: decimal, at: 1, tradeValue24h: nil),
                    StoredPriceDTO(market: "A", price: "1", at: 1, tradeValue24h: decimal),
                ] {
                    let code = await StoreSubject.code { () throws(StoreError) in
                        try await market.savePrices([close], feed: "live")
                    }
                    #expect(code == .refused, "\(close)")
                }
            }
        }
    }

    private static var columns: [WritableKeyPath<StoredCandlesDTO.Row, String>] {
        [\.open, \.high, \.low, \.close, \.volume]
    }

    @Test("a time outside the years 1 to 9999 is refused", arguments: times)
    func moments(time: Int64) async throws {
        try await Self.with { store, market in
            let code = await StoreSubject.code { () throws(StoreError) in
                _ = try await store.write(.putCash("7"), user: 1, at: time)
            }
            #expect(code == .refused, "a change")
            for candles in [
                Self.candles { $0.openTime = time }, Self.candles { $0.fetchedAt = time },
            ] {
                let code = await StoreSubject.code { () throws(StoreError) in
                    try await market.saveCandles(candles)
                }
                #expect(code == .refused, "a candle")
            }
            for span in [
                StoredCandlesDTO.Span(from: time, to: 0), .init(from: 0, to: time),
            ] {
                let spanCode = await StoreSubject.code { () throws(StoreError) in
                    var candles = Self.candles { _ in }
                    candles.spans = [span]
                    try await market.saveCandles(candles)
                }
                #expect(spanCode == .refused, "a span")
                let coverageCode = await StoreSubject.code { () throws(StoreError) in
                    try await market.saveMinutes(.init(feed: "live", rows: [], covered: [span]))
                }
                #expect(coverageCode == .refused, "coverage")
            }
            for call in 0..<6 {
                let code = await StoreSubject.code { () throws(StoreError) in
                    switch call {
                    case 0:
                        let close = StoredPriceDTO(
                            market: "A",
                            price: "1",
                            at: time,
                            tradeValue24h: nil
                        )
                        try await market.savePrices([close], feed: "live")
                    case 1: try await market.saveNames(.init(rows: [], readAt: time), feed: "live")
                    case 2:
                        try await market.saveWarnings(
                            .init(warned: [], alerts: [], readAt: time),
                            feed: "live"
                        )
                    case 3: try await market.prepare(at: time)
                    case 4: _ = try await market.rollUp(feed: "live", until: time)
                    default:
                        _ = try await market.removeCandles(
                            intervals: ["1m"],
                            openingBefore: time
                        )
                    }
                }
                #expect(code == .refused, "call \(call)")
            }
        }
    }
}
