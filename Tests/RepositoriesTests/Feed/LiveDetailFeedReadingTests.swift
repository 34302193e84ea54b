import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("Data that the board lacks is requested at once, once for all interests, at a bounded rate")
struct LiveDetailFeedReadingTests {
    private static let book = DetailInterest(market: "BTC_KRW", facet: .book)

    @Test("opens before the first data, closes after the last interest")
    func opening() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let first = bench.look("BTC_KRW", .book, .trades)
            let second = bench.look("BTC_KRW", .book)
            #expect(
                bench.detailEvents.prefix(2) == [
                    .opened(Self.book),
                    .opened(DetailInterest(market: "BTC_KRW", facet: .trades)),
                ]
            )
            guard case .feed(.opened) = bench.events.first?.event else {
                Issue.record("something came before the opening")
                return
            }
            #expect(bench.bookTimes() == [.zero])
            bench.leave(first)
            #expect(bench.board.details["BTC_KRW"]?.facets == [.book])
            bench.leave(second)
            #expect(bench.detailEvents.last == .closed(Self.book))
            #expect(bench.board.details.isEmpty)
        }
    }

    @Test("checks the board's needs each second and expires short interests")
    func asking() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            #expect(bench.interests.touch([Self.book], now: bench.now))
            bench.tasks.advance(by: .seconds(59))
            #expect(bench.questions == (1...59).map { .seconds($0) })
            #expect(bench.board.details["BTC_KRW"] != nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.detailEvents.contains(.closed(Self.book)))
        }
    }

    @Test("reads a lacking book at most once a second")
    func bookPace() async throws {
        let bench = DetailFeedHarness()
        bench.lack([Self.book])
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            for _ in 0..<200 {
                bench.tasks.advance(by: .milliseconds(50))
                bench.change()
            }
            #expect(bench.bookTimes() == (0...10).map { .seconds($0) })
            bench.leave(lease)
        }
    }

    @Test("reads trades and candles that stay lacking at growing intervals")
    func unhelpfulCount() async throws {
        let bench = DetailFeedHarness()
        let tape = DetailInterest(market: "BTC_KRW", facet: .trades)
        bench.trades.put(TradeHistoryDTO(trades: []), symbol: "BTC_KRW")
        bench.lack([tape])
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .trades)
            bench.tasks.advance(by: .seconds(100))
            let times = bench.log.times { $0 == .trades(symbol: "BTC_KRW", count: 100) }
            #expect(times == [0, 1, 3, 7, 15, 31, 63, 95].map { .seconds($0) })
            bench.lack([])
            bench.tasks.advance(by: .seconds(100))
            bench.lack([tape])
            bench.log.clear()
            bench.tasks.advance(by: .seconds(4))
            let again = bench.log.times { $0 == .trades(symbol: "BTC_KRW", count: 100) }
            #expect(again == [201, 202, 204].map { .seconds($0) }, "a new lack is a new matter")
            bench.leave(lease)
        }
    }

    @Test("sends one request at a time for the same data and shares its response")
    func singleFlight() async throws {
        let bench = DetailFeedHarness()
        bench.put(candles: "BTC_KRW", "24h")
        bench.candles.hold()
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .candles(.day1), .candles(.week1))
            bench.tasks.advance(by: .seconds(5))
            let other = bench.look("BTC_KRW", .candles(.month1), .candles(.day1))
            bench.feed.reload()
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.candleTimes == [.zero])
            bench.candles.letGo()
            bench.tasks.settle()
            let series = bench.board.details["BTC_KRW"]?.candles ?? [:]
            #expect(Set(series.keys) == [.day1, .week1, .month1])
            #expect(series.values.allSatisfy { $0.isLoaded })
            let day = SeoulTime.timestamp(year: 2026, month: 11, day: 20)
            let month = SeoulTime.timestamp(year: 2026, month: 11, day: 1)
            #expect(series[.day1]?.first?.openTime == day)
            #expect(series[.month1]?.first?.openTime == month)
            bench.leave(lease)
            bench.leave(other)
        }
    }

    @Test("drops a response after closing, and requests again for a new interest")
    func lateAnswer() async throws {
        let bench = DetailFeedHarness()
        bench.books.hold()
        try await bench.drive {
            bench.leave(bench.look("BTC_KRW", .book))
            bench.books.letGo()
            bench.tasks.settle()
            #expect(bench.deliveredBooks.isEmpty)
            #expect(bench.board.details.isEmpty)

            bench.books.hold()
            bench.leave(bench.look("BTC_KRW", .book))
            let lease = bench.look("BTC_KRW", .book)
            #expect(bench.bookTimes() == [.zero, .zero], "the first call is still under way")
            bench.books.letGo()
            bench.tasks.settle()
            // The answer of the earlier opening was dropped, then one of its own came.
            #expect(bench.bookTimes() == [.zero, .zero, .zero])
            #expect(bench.deliveredBooks.count == 1)
            bench.leave(lease)
        }
    }

    @Test("reports a failure with the time of the next attempt, with backoff")
    func failures() async throws {
        let bench = DetailFeedHarness()
        let error = DataSourceError(.timedOut, "orderbook/BTC_KRW")
        bench.books.fail(error, symbol: "BTC_KRW")
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            let failure = bench.board.details["BTC_KRW"]?.failures[.book]
            #expect(failure?.failure == FeedFailure(error))
            #expect(failure?.nextRetryAt == .noon(1))
            bench.tasks.advance(by: .seconds(60))
            #expect(bench.bookTimes().count <= 18)
            #expect(bench.bookTimes().count >= 9)
            bench.put(book: "BTC_KRW")
            bench.feed.reload()
            bench.tasks.settle()
            #expect(bench.bookTimes().last == .seconds(60))
            #expect(bench.board.details["BTC_KRW"]?.failures.isEmpty == true)
            bench.leave(lease)
        }
    }

    @Test("retries a refused market once a minute")
    func refused() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let lease = bench.look("NONE_KRW", .book, .trades)
            let failures = bench.board.details["NONE_KRW"]?.failures
            #expect(failures?[.book]?.failure.code == .refused)
            #expect(failures?[.trades]?.nextRetryAt == .noon(60))
            bench.tasks.advance(by: .seconds(150))
            #expect(bench.bookTimes("NONE_KRW") == [0, 60, 120].map { .seconds($0) })
            bench.leave(lease)
        }
    }

    @Test("reports an implausible response and does not deliver it")
    func malformed() async throws {
        let bench = DetailFeedHarness()
        var books: [OrderBookDTO] = []
        books.append(OrderBookDTO(symbol: "BTC_KRW", atMicroseconds: .max, asks: [], bids: []))
        for book in books {
            bench.books.put(book)
            try await bench.drive {
                let lease = bench.look("BTC_KRW", .book)
                let failure = bench.board.details["BTC_KRW"]?.failures[.book]
                #expect(failure?.failure.code == .malformed)
                #expect(bench.board.details["BTC_KRW"]?.book.isReady == false)
                bench.leave(lease)
            }
        }
    }

    @Test("refreshes books without a snapshot for 8 s, at two requests a second in total")
    func freshness() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            bench.acknowledge()
            bench.snapshot()
            bench.tasks.advance(by: .seconds(2))
            bench.log.clear()
            bench.tasks.advance(by: .seconds(30))
            let times = bench.bookTimes()
            #expect(times.count == 3 || times.count == 4)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .seconds(8) })
            bench.log.clear()
            for _ in 0..<60 {
                bench.tasks.advance(by: .milliseconds(500))
                bench.snapshot()
            }
            #expect(bench.bookTimes().isEmpty, "the stream keeps it fresh")
            bench.leave(lease)
        }
    }

    @Test("serves books in turn when there are more books than requests")
    func freshnessOfMany() async throws {
        let bench = DetailFeedHarness()
        let markets = (0..<60).compactMap { MarketID(symbol: "C\($0)", quote: .krw) }
        for market in markets { bench.put(book: market.name) }
        try await bench.drive {
            let leases = markets.map { bench.look($0, .book) }
            bench.acknowledge(120)
            bench.tasks.advance(by: .seconds(20))
            bench.log.clear()
            bench.tasks.advance(by: .seconds(60))
            let times = markets.map { bench.bookTimes($0.name) }
            #expect(times.allSatisfy { $0.count == 2 }, "each as often as any other")
            #expect(times.flatMap(\.self).mostInOneSecond <= 2)
            #expect(times.flatMap(\.self).count == 120)
            for lease in leases { bench.leave(lease) }
        }
    }
}
