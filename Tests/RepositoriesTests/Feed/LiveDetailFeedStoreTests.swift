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

    private static func store(_ minutes: [Int], in bench: DetailFeedHarness) async throws {
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
        try await bench.store.saveCandles(
            StoredCandlesDTO(
                series: .init(feed: "live", market: "BTC_KRW", interval: "1m"),
                rows: rows,
                spans: [span]
            )
        )
    }

    private func series(_ bench: DetailFeedHarness) -> CandleSeries? {
        bench.board.details["BTC_KRW"]?.candles[.minute1]
    }

    @Test("stored candles arrive after opening, while REST is pending")
    func awaited() async throws {
        let bench = DetailFeedHarness()
        try await Self.store([-9, -5, -2], in: bench)
        bench.put(candles: "BTC_KRW", "1m")
        bench.candles.hold()
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .candles(.minute1))
            #expect(bench.detailEvents == [.opened(Self.interest)])
            #expect(series(bench)?.map(\.origin) == [.store, .store, .store])
            #expect(series(bench)?.storedAt == .noon(-30))
            #expect(series(bench)?.isLoaded == false)
            #expect(bench.candleTimes == [.zero])
            bench.candles.letGo()
            bench.tasks.settle()
            #expect(series(bench)?.map(\.origin) == [.store, .store, .store, .rest])
            #expect(series(bench)?.isLoaded == true)
            bench.leave(lease)
        }
    }

    @Test("without the exchange a failure accompanies stored candles")
    func offline() async throws {
        let bench = DetailFeedHarness()
        try await Self.store([-9, -5], in: bench)
        bench.candles.fail(Self.offline, symbol: "BTC_KRW", interval: "1m")
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .candles(.minute1))
            let detail = bench.board.details["BTC_KRW"]
            #expect(detail?.failures[.candles(.minute1)] != nil)
            #expect(series(bench)?.count == 2)
            bench.leave(lease)
        }
    }

    @Test("a failing store affects stored candles only")
    func brokenStore() async throws {
        let bench = DetailFeedHarness()
        try await Self.store([-9], in: bench)
        bench.store.fail(StoreError(.damaged, "a file"))
        bench.put(candles: "BTC_KRW", "1m")
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .candles(.minute1))
            #expect(series(bench)?.map(\.origin) == [.rest])
            bench.leave(lease)
        }
    }

    @Test("REST candles are queued for the store, unless a row is unreadable")
    func kept() async throws {
        for isReadable in [true, false] {
            let bench = DetailFeedHarness()
            bench.put(candles: "BTC_KRW", "1m")
            if !isReadable {
                let row = CandleDTO(
                    atMilliseconds: 1,
                    open: "0",
                    close: "2",
                    high: "3",
                    low: "1",
                    volume: "4"
                )
                bench.candles.put(CandlesDTO(rows: [row]), symbol: "BTC_KRW", interval: "1m")
            }
            try await bench.drive {
                let lease = bench.look("BTC_KRW", .candles(.minute1))
                #expect(bench.archive.status.waitingPages == (isReadable ? 1 : 0))
                bench.leave(lease)
            }
        }
    }
}
