import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("Stored candles are shown at once, beside and without REST, and REST's are kept")
struct LiveDetailFeedStoreTests {
    private static let interest = DetailInterest(market: "BTC_KRW", facet: .candles(.minute1))
    private static let offline = DataSourceError(.unreachable, "a test")

    private static func store(_ minutes: [Int], in harness: DetailFeedHarness) async throws {
        let rows = minutes.map { minute in
            StoredCandlesDTO.Row(
                openTime: Timestamp.noon(minute * 60).microseconds,
                open: "7",
                high: "7",
                low: "7",
                close: "7",
                volume: "7",
                fetchedAt: Timestamp.noon(-30).microseconds
            )
        }
        let span = StoredCandlesDTO.Span(
            from: rows.first?.openTime ?? 0,
            to: Timestamp.noon().microseconds
        )
        try await harness.store.saveCandles(
            StoredCandlesDTO(
                series: .init(feed: "live", market: "BTC_KRW", interval: "1m"),
                rows: rows,
                spans: [span]
            )
        )
    }

    private func series(_ harness: DetailFeedHarness) -> CandleSeries? {
        harness.board.details["BTC_KRW"]?.candles[.minute1]
    }

    @Test("stored candles arrive after opening, while REST is pending")
    func awaited() async throws {
        let harness = DetailFeedHarness()
        try await Self.store([-9, -5, -2], in: harness)
        harness.put(candles: "BTC_KRW", "1m")
        harness.candles.hold()
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.minute1))
            #expect(harness.detailEvents == [.opened(Self.interest)])
            #expect(series(harness)?.map(\.origin) == [.store, .store, .store])
            #expect(series(harness)?.storedAt == .noon(-30))
            #expect(series(harness)?.isLoaded == false)
            #expect(harness.candleTimes == [.zero])
            harness.candles.letGo()
            harness.tasks.settle()
            #expect(series(harness)?.map(\.origin) == [.store, .store, .store, .rest])
            #expect(series(harness)?.isLoaded == true)
            harness.leave(lease)
        }
    }

    @Test("without the exchange a failure accompanies stored candles")
    func offline() async throws {
        let harness = DetailFeedHarness()
        try await Self.store([-9, -5], in: harness)
        harness.candles.fail(Self.offline, symbol: "BTC_KRW", interval: "1m")
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.minute1))
            let detail = harness.board.details["BTC_KRW"]
            #expect(detail?.failures[.candles(.minute1)] != nil)
            #expect(series(harness)?.count == 2)
            harness.leave(lease)
        }
    }

    @Test("a failing store affects stored candles only")
    func brokenStore() async throws {
        let harness = DetailFeedHarness()
        try await Self.store([-9], in: harness)
        harness.store.fail(StoreError(.damaged, "a file"))
        harness.put(candles: "BTC_KRW", "1m")
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.minute1))
            #expect(series(harness)?.map(\.origin) == [.rest])
            harness.leave(lease)
        }
    }

    @Test("REST candles are queued for the store, unless a row is unreadable")
    func kept() async throws {
        for isReadable in [true, false] {
            let harness = DetailFeedHarness()
            harness.put(candles: "BTC_KRW", "1m")
            if !isReadable {
                let row = CandleDTO(
                    atMilliseconds: 1,
                    open: "0",
                    close: "2",
                    high: "3",
                    low: "1",
                    volume: "4"
                )
                harness.candles.put(CandlesDTO(rows: [row]), symbol: "BTC_KRW", interval: "1m")
            }
            try await harness.drive {
                let lease = harness.look("BTC_KRW", .candles(.minute1))
                #expect(harness.archive.status.waitingPages == (isReadable ? 1 : 0))
                harness.leave(lease)
            }
        }
    }
}
