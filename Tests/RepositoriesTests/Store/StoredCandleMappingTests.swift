import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Only final candles of a page are stored, and they round-trip")
struct StoredCandleMappingTests {
    private static let market: MarketID = "BTC_KRW"

    private static func minute(_ number: Int) -> Timestamp { .noon(number * 60) }

    private static func page(_ minutes: [Int], askedAt: Timestamp) -> CandlePage {
        CandlePage(
            market: market,
            interval: .minute1,
            candles: minutes.map { minute in
                Candle(
                    openTime: Self.minute(minute),
                    open: "101.5",
                    high: "103",
                    low: "100",
                    close: "102",
                    volume: "0.00000001",
                    origin: .rest
                )
            },
            requestedAt: askedAt,
            answeredAt: askedAt
        )
    }

    @Test(
        "the running candle and a last candle that may lack trades are not stored",
        arguments: [
            // The bucket of minute 3 runs.
            ([0, 1, 3], 3 * 60 + 5, [0, 1], 0..<3),
            // Nothing was traded since minute 1, which ended long ago.
            ([0, 1], 3 * 60 + 5, [0, 1], 0..<3),
            // Minute 2 ended 9 seconds ago: REST may lag.
            ([0, 1, 2], 3 * 60 + 9, [0, 1], 0..<2),
            ([0, 1, 2], 3 * 60 + 10, [0, 1, 2], 0..<3),
            // The exchange's clock is ahead of what was asked with.
            ([0, 1, 4], 3 * 60, [0, 1], 0..<3),
            ([3], 3 * 60 + 5, [], nil), ([], 60, [], nil), ([2], 3 * 60 + 1, [], nil),
        ] as [([Int], Int, [Int], Range<Int>?)]
    )
    func certain(minutes: [Int], askedAt: Int, kept: [Int], span: Range<Int>?) {
        let page = Self.page(minutes, askedAt: .noon(askedAt))
        let certain = StoredCandleMapping.rows(page, since: nil)
        #expect(certain?.rows.map(\.openTime) ?? [] == kept.map { Self.minute($0).microseconds })
        #expect(certain?.span.from == span.map { Self.minute($0.lowerBound).microseconds })
        #expect(certain?.span.to == span.map { Self.minute($0.upperBound).microseconds })
    }

    @Test("candles beyond the retention time are not stored, and the span begins after them")
    func old() throws {
        let page = Self.page([0, 1, 2, 4], askedAt: .noon(245))
        let certain = try #require(StoredCandleMapping.rows(page, since: Self.minute(1)))
        #expect(certain.rows.count == 2)
        #expect(certain.span.from == Self.minute(1).microseconds)
        #expect(StoredCandleMapping.rows(page, since: Self.minute(9)) == nil)
    }

    @Test("every number and the fetch time round-trip exactly")
    func roundTrip() throws {
        let page = Self.page([0, 1, 2], askedAt: .noon(125))
        let (rows, span) = try #require(StoredCandleMapping.rows(page, since: nil))
        let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: "1m")
        let (back, skipped) = StoredCandleMapping.page(
            StoredCandlesDTO(series: series, rows: rows, spans: [span]),
            of: Self.market,
            interval: .minute1,
            notAfter: .noon(200)
        )
        #expect(skipped == 0)
        let expected = page.candles.prefix(2).map { candle in
            var candle = candle
            candle.origin = .store
            return candle
        }
        #expect(back?.candles == expected)
        #expect(back?.isStored == true)
        #expect(back?.requestedAt == .noon(125))
        #expect(back?.spans == [Self.minute(0)..<Self.minute(2)])
    }

    @Test(
        "an invalid row is skipped, and no empty bucket counts as known",
        arguments: [
            ("abc", "1", "1", "1", "1", 0), ("1", "1e400", "1", "1", "1", 0),
            ("1", "1", "-1", "1", "1", 0), ("1", "1", "1", "2", "1", 0),
            ("0", "1", "1", "1", "1", 0), ("1", "1", "1", "1", "-1", 0),
            ("1", "1", "1", "1", "1\u{0}", 0), ("1", "1", "1", "1", "1", 1),
        ] as [(String, String, String, String, String, Int64)]
    )
    func unreadable(
        open: String,
        high: String,
        low: String,
        close: String,
        volume: String,
        offset: Int64
    ) throws {
        let page = Self.page([0, 1, 2], askedAt: .noon(125))
        var (rows, span) = try #require(StoredCandleMapping.rows(page, since: nil))
        rows[0].open = open
        rows[0].high = high
        rows[0].low = low
        rows[0].close = close
        rows[0].volume = volume
        rows[0].openTime += offset
        let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: "1m")
        let dto = StoredCandlesDTO(series: series, rows: rows, spans: [span])
        let (back, skipped) = StoredCandleMapping.page(
            dto,
            of: Self.market,
            interval: .minute1,
            notAfter: nil
        )
        #expect(skipped == 1)
        #expect(back?.candles.map(\.openTime) == [Self.minute(1)])
        #expect(back?.spans == [])
    }

    @Test("candles that open after the latest plausible time are skipped")
    func future() throws {
        let page = Self.page([0, 1, 2], askedAt: .noon(125))
        let (rows, span) = try #require(StoredCandleMapping.rows(page, since: nil))
        let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: "1m")
        let dto = StoredCandlesDTO(series: series, rows: rows, spans: [span])
        let (back, skipped) = StoredCandleMapping.page(
            dto,
            of: Self.market,
            interval: .minute1,
            notAfter: Self.minute(0)
        )
        #expect(skipped == 1)
        #expect(back?.candles.count == 1)
        #expect(back?.requestedAt == Self.minute(0))
    }
}
