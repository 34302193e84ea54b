import Concurrency
import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("The archive stores market data without blocking its callers", .tags(.threads))
struct MarketArchiveTests {
    /// An archive over a store in memory, driven step by step.
    private struct Bench {
        let tasks = SteppedTasks()
        let store = InMemoryStore()
        let latest: SnapshotPublisher
        let failures = Failures()
        let archive: MarketArchive

        init(_ kind: FeedKind = .live, board: MarketBoard? = nil) {
            let clock = tasks.clock
            latest = SnapshotPublisher(
                BoardSnapshot(
                    board: board ?? MarketBoard(kind: kind),
                    sequence: 0,
                    capturedAt: .noon()
                )
            )
            let failures = failures
            archive = MarketArchive(
                expecting: kind,
                parts: .init(
                    store: store,
                    latest: latest,
                    clock: clock,
                    now: { .noon(plus: clock.now.offset) },
                    onFailure: { failures.note($0) }
                )
            )
        }

        func drive(_ drive: () throws -> Void) async throws {
            let archive = archive
            try await tasks.running({ await archive.run() }, drive: drive)
        }

        func keep(_ page: CandlePage) {
            archive.keep(page)
            tasks.settle()
        }
    }

    private final class Failures: Sendable {
        private let state = Mutex<[StoreFailure?]>([])
        func note(_ failure: StoreFailure?) { state.withLock { $0.append(failure) } }
        var all: [StoreFailure?] { state.withLock(\.self) }
    }

    private static let full = StoreError(.full, "a disk")

    private static func page(
        _ interval: CandleInterval = .hour1,
        at openTimes: [Timestamp] = [.noon(-7_200), .noon(-3_600)],
        origin: Candle.Origin = .rest
    ) -> CandlePage {
        CandlePage(
            market: "BTC_KRW",
            interval: interval,
            candles: openTimes.map { openTime in
                Candle(
                    openTime: openTime,
                    open: "1",
                    high: "2",
                    low: "1",
                    close: "2",
                    volume: "3",
                    origin: origin
                )
            },
            requestedAt: .noon(60),
            answeredAt: .noon(60)
        )
    }

    private static func board(_ kind: FeedKind) -> MarketBoard {
        var board = MarketBoard(kind: kind)
        var entry = ListingEntry("BTC_KRW", price: "100")
        entry.tradeValue24h = "5000.5"
        let entries = [entry, ListingEntry("ETH_KRW", price: "7")]
        board.apply(.listing(Listing(at: .noon(), entries)), at: .noon())
        return board
    }

    @Test("a page is written once the feed is identified, and is read as stored")
    func candles() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.keep(Self.page())
            #expect(bench.archive.status.waitingPages == 1)
            bench.archive.identify(.live)
            bench.tasks.settle()
            #expect(bench.archive.status.waitingPages == 0)
        }
        let stored = await bench.archive.candles(of: "BTC_KRW", .hour1, notAfter: nil)
        #expect(stored?.candles.map(\.openTime) == [.noon(-7_200), .noon(-3_600)])
        #expect(stored?.isStored == true)
        #expect(await bench.archive.candles(of: "ETH_KRW", .hour1, notAfter: nil) == nil)
        let other = Bench(.replay)
        #expect(await other.archive.candles(of: "BTC_KRW", .hour1, notAfter: nil) == nil)
    }

    @Test("weeks are built from stored days; weeks and stored candles are not written again")
    func folded() async throws {
        // 2026-11-16 and 17: a Monday and the day after.
        let days = [16, 17].map { SeoulTime.timestamp(year: 2026, month: 11, day: $0) }
        let bench = Bench()
        bench.archive.identify(.live)
        try await bench.drive { bench.keep(Self.page(.day1, at: days)) }
        let weeks = await bench.archive.candles(of: "BTC_KRW", .week1, notAfter: nil)
        #expect(weeks?.interval == .week1)
        #expect(weeks?.candles.map(\.openTime) == [days[0]])
        #expect(weeks?.candles.map(\.volume) == ["6"])
        bench.archive.keep(Self.page(origin: .store))
        bench.archive.keep(Self.page(.week1, at: days))
        #expect(bench.archive.status.waitingPages == 0)
    }

    @Test("a failing store is tried each second, and failure and recovery are reported once")
    func failing() async throws {
        let bench = Bench()
        bench.archive.identify(.live)
        try await bench.drive {
            bench.store.fail(Self.full)
            bench.keep(Self.page())
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.failures.all == [StoreFailure(Self.full)])
            #expect(bench.archive.status.failure == StoreFailure(Self.full))
            #expect(bench.archive.status.waitingPages == 1)
            bench.store.fail(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.failures.all == [StoreFailure(Self.full), nil])
            #expect(bench.archive.status == MarketArchive.Status())
        }
        #expect(await bench.archive.candles(of: "BTC_KRW", .hour1, notAfter: nil) != nil)
    }

    @Test("a fenced write does not clear a store failure; a successful one does")
    func fencedWhileAway() async throws {
        let bench = Bench()
        bench.archive.identify(.live)
        let away = StoreError(.unavailable, "a host")
        try await bench.drive {
            bench.store.fail(away)
            bench.keep(Self.page())
            bench.store.fail(StoreError(.fenced, "another writes"))
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.archive.status.waitingPages == 0)
            #expect(bench.failures.all == [StoreFailure(away)])
            bench.store.fail(nil)
            bench.keep(Self.page())
            #expect(bench.failures.all == [StoreFailure(away), nil])
        }
    }

    @Test("a read that failed is repeated each second until it works, without any reader")
    func failingRead() async throws {
        let bench = Bench()
        bench.archive.identify(.live)
        let (archive, asked) = (bench.archive, AsyncEvent())
        try await bench.tasks.running({
            await withTaskGroup { group in
                group.addTask { await archive.run() }
                group.addTask {
                    while await asked.wait() {
                        _ = await archive.candles(of: "BTC_KRW", .hour1, notAfter: nil)
                    }
                }
                await group.waitForAll()
            }
        }) {
            bench.store.fail(StoreError(.busy, "a lock"))
            asked.signal()
            bench.tasks.advance(by: .seconds(3))
            #expect(archive.status.failure?.code == .busy)
            bench.store.fail(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(archive.status.failure == nil)
        }
    }

    @Test("a page that cannot be written is dropped and counted")
    func readOnly() async throws {
        let bench = Bench()
        bench.archive.identify(.live)
        bench.store.fail(StoreError(.readOnly, "a file"))
        try await bench.drive {
            bench.keep(Self.page())
            #expect(bench.archive.status.waitingPages == 0)
            #expect(bench.archive.status.droppedPages == 1)
        }
    }

    @Test("last prices are stored each minute and at the end, with the time of the price")
    func closes() async throws {
        for isAtEnd in [false, true] {
            let bench = Bench(board: Self.board(.live))
            bench.archive.identify(.live)
            try await bench.drive {
                bench.tasks.advance(by: .seconds(isAtEnd ? 59 : 60))
            }
            #expect(await bench.archive.closes() == nil || !isAtEnd)
            if isAtEnd { await bench.archive.flush() }
            let stored = try #require(await bench.archive.closes())
            #expect(stored.kind == .live)
            #expect(
                stored.closes.sorted { $0.market < $1.market } == [
                    StoredPrice(
                        market: "BTC_KRW",
                        price: "100",
                        at: .noon(),
                        tradeValue24h: "5000.5"
                    ),
                    StoredPrice(market: "ETH_KRW", price: "7", at: .noon(), tradeValue24h: nil),
                ]
            )
        }
    }

    @Test("the last price of a market that became suspended is stored, too")
    func suspendedClose() async throws {
        var board = Self.board(.live)
        board.apply(
            .listing(Listing(at: .noon(9), [ListingEntry("BTC_KRW", price: "100")])),
            at: .noon(9)
        )
        #expect(board.market("ETH_KRW")?.isTrading == false)
        let bench = Bench(board: board)
        bench.archive.identify(.live)
        await bench.archive.flush()
        let stored = try #require(await bench.archive.closes())
        #expect(Set(stored.closes.map(\.market)) == ["BTC_KRW", "ETH_KRW"])
    }

    @Test("a delisted market is stored as not trading")
    func vanished() async throws {
        let closes = ["BTC_KRW", "XRP_KRW"].map { name in
            StoredPrice(
                market: MarketID(name: name)!,
                price: "5",
                at: .noon(-60),
                tradeValue24h: nil
            )
        }
        var board = MarketBoard(kind: .live)
        board.applyReference(.closes(closes, of: .live), at: .noon())
        var entry = ListingEntry(market: "BTC_KRW")
        entry.price = "6"
        let listing = Listing(quote: .krw, at: .noon(), entries: [entry], suspended: [])
        board.apply(.listing(listing), at: .noon())
        let bench = Bench(board: board)
        bench.archive.identify(.live)
        await bench.archive.flush()
        let stored = try #require(await bench.archive.closes()).closes
        let isTrading = Dictionary(uniqueKeysWithValues: stored.map { ($0.market, $0.isTrading) })
        #expect(isTrading == ["BTC_KRW": true, "XRP_KRW": false])
    }

    @Test("prices from the store, of another feed or of a recording are not stored")
    func foreignCloses() async throws {
        var stored = MarketBoard(kind: .live)
        let close = StoredPrice(market: "BTC_KRW", price: "5", at: .noon(), tradeValue24h: nil)
        stored.applyReference(.closes([close], of: .live), at: .noon())
        #expect(stored.market("BTC_KRW")?.price == "5")
        for board in [stored, Self.board(.simulated), Self.board(.replay)] {
            let bench = Bench(board: board)
            bench.archive.identify(.live)
            await bench.archive.flush()
            #expect(await bench.archive.closes() == nil)
        }
        let recording = Bench(.replay, board: Self.board(.replay))
        recording.archive.identify(.replay)
        await recording.archive.flush()
        #expect(try await recording.store.closes(feed: "replay").isEmpty)
    }

    @Test("names and warnings round-trip, separately for each feed")
    func reference() async throws {
        let names = CoinNames([
            "BTC": .init(symbol: "BTC", korean: "비트코인", english: "Bitcoin"),
            "XRP": .init(symbol: "XRP", korean: "리플", english: ""),
        ])
        let alert = MarketAlert(type: "PRICE", step: "CAUTION", endsAt: .noon(9))
        let other = MarketAlert(type: "VOLUME", step: nil, endsAt: nil)
        let marks = MarketWarnings(
            warned: ["XRP_KRW", "BTC_BTC"],
            alerts: ["BTC_KRW": [alert, other], "XRP_KRW": [other]],
            readAt: .noon(1)
        )
        let bench = Bench(.simulated)
        bench.archive.keep(names, readAt: .noon(2))
        bench.archive.keep(marks)
        bench.archive.identify(.simulated)
        await bench.archive.flush()
        let stored = await bench.archive.names()
        #expect(stored?.names == names)
        #expect(stored?.readAt == .noon(2))
        #expect(await bench.archive.marks() == marks)
        bench.archive.identify(.live)
        #expect(await bench.archive.names() == nil)
        #expect(await bench.archive.marks() == nil)
    }

    @Test("invalid rows are skipped and counted")
    func unreadable() async throws {
        let bench = Bench()
        let rows = [("BTC_KRW", "1"), ("btc", "1"), ("ETH_KRW", "abc"), ("XRP_KRW", "0")]
        try await bench.store.savePrices(
            rows.map { StoredPriceDTO(market: $0, price: $1, at: 5, tradeValue24h: "1e400") },
            feed: "live"
        )
        let stored = try #require(await bench.archive.closes())
        #expect(stored.closes.map(\.market) == ["BTC_KRW"])
        #expect(stored.closes.map(\.tradeValue24h) == [nil])
        #expect(bench.archive.status.skippedRows == 3)
    }

    @Test(
        "1m candles over 30 days and 3m to 30m candles over 180 days are removed, longer ones kept"
    )
    func retention() async throws {
        let bench = Bench()
        bench.archive.identify(.live)
        let day: Duration = .seconds(86_400)
        let ages: [Duration] = [day * 29, day * 31, day * 179, day * 181]
        for interval in ["1m", "3m", "30m", "1h", "24h"] {
            let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: interval)
            let rows = ages.map { age in
                StoredCandlesDTO.Row(
                    openTime: Timestamp.noon(plus: .zero - age).microseconds,
                    open: "1",
                    high: "1",
                    low: "1",
                    close: "1",
                    volume: "1",
                    fetchedAt: 0
                )
            }
            try await bench.store.saveCandles(
                StoredCandlesDTO(series: series, rows: rows, spans: [])
            )
        }
        try await bench.drive { bench.tasks.advance(by: .seconds(1)) }
        var counts: [String: Int] = [:]
        for interval in ["1m", "3m", "30m", "1h", "24h"] {
            let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: interval)
            counts[interval] = try await bench.store.candles(of: series, newest: 9).rows.count
        }
        #expect(counts == ["1m": 1, "3m": 3, "30m": 3, "1h": 4, "24h": 4])
    }

    @Test("the last kind of feed is that of the newest stored price")
    func lastKind() async throws {
        let store = InMemoryStore()
        #expect(await MarketArchive.lastKind(in: store) == nil)
        for (feed, at, expected) in [
            ("simulated", 5, .simulated), ("live", 9, .live), ("simulated", 11, .simulated),
        ] as [(String, Int64, FeedKind)] {
            let close = StoredPriceDTO(market: "BTC_KRW", price: "1", at: at, tradeValue24h: nil)
            try await store.savePrices([close], feed: feed)
            #expect(await MarketArchive.lastKind(in: store) == expected)
        }
        store.fail(Self.full)
        let callCount = store.callCount
        #expect(await MarketArchive.lastKind(in: store) == nil)
        // Each further call might wait as long as the first.
        #expect(store.callCount == callCount + 1)
    }

    @Test("the known coins are those of stored prices and names of every feed")
    func coins() async throws {
        let store = InMemoryStore()
        for (feed, market, named) in [("simulated", "NEW_BTC", "DEMO"), ("live", "BTC_KRW", "ETH")]
        {
            let close = StoredPriceDTO(market: market, price: "1", at: 1, tradeValue24h: nil)
            try await store.savePrices([close], feed: feed)
            let row = StoredNamesDTO.Row(symbol: named, korean: "이름", english: "")
            try await store.saveNames(StoredNamesDTO(rows: [row], readAt: 1), feed: feed)
        }
        let storedCoins = await MarketArchive.coins(in: store)
        #expect(storedCoins.symbols == ["NEW", "BTC"])
        #expect(storedCoins.names.entries.keys.sorted() == ["DEMO", "ETH"])
        store.fail(Self.full)
        let callCount = store.callCount
        let failed = await MarketArchive.coins(in: store)
        #expect(failed.symbols.isEmpty && failed.names.count == 0)
        #expect(store.callCount == callCount + 1)
    }
}
