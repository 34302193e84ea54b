import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("Data that the board lacks is requested at once, once for all interests, at a bounded rate")
struct LiveDetailFeedReadingTests {
    private static let book = DetailInterest(market: "BTC_KRW", facet: .book)

    @Test("the feed reports opening before the first data and closing after the last interest")
    func opening() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let first = harness.look("BTC_KRW", .book, .trades)
            let second = harness.look("BTC_KRW", .book)
            #expect(
                harness.detailEvents.prefix(2) == [
                    .opened(Self.book),
                    .opened(DetailInterest(market: "BTC_KRW", facet: .trades)),
                ]
            )
            guard case .feed(.opened) = harness.events.first?.event else {
                Issue.record("something came before the opening")
                return
            }
            #expect(harness.bookTimes() == [.zero])
            harness.leave(first)
            #expect(harness.board.details["BTC_KRW"]?.facets == [.book])
            harness.leave(second)
            #expect(harness.detailEvents.last == .closed(Self.book))
            #expect(harness.board.details.isEmpty)
        }
    }

    @Test("the feed checks the board's needs each second and expires short interests")
    func asking() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            #expect(harness.interests.touch([Self.book], now: harness.now))
            harness.tasks.advance(by: .seconds(59))
            #expect(harness.questions == (1...59).map { .seconds($0) })
            #expect(harness.board.details["BTC_KRW"] != nil)
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.detailEvents.contains(.closed(Self.book)))
        }
    }

    @Test("REST is read every eight seconds where more levels are wanted than API 2.x streams")
    func deepBook() async throws {
        for isDeep in [false, true] {
            let harness = DetailFeedHarness(.v2)
            try await harness.drive {
                let lease = harness.look("BTC_KRW", .book, isDeep ? .deepBook : .book)
                for _ in 0..<20 {
                    harness.tasks.advance(by: .seconds(1))
                    harness.snapshot()
                }
                let times = harness.bookTimes()
                #expect(times.count == (isDeep ? 4 : 2), "\(times)")
                harness.leave(lease)
            }
        }
    }

    @Test("the feed reads a lacking book at most once a second")
    func bookPace() async throws {
        let harness = DetailFeedHarness()
        harness.lack([Self.book])
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            for _ in 0..<200 {
                harness.tasks.advance(by: .milliseconds(50))
                harness.change()
            }
            #expect(harness.bookTimes() == (0...10).map { .seconds($0) })
            harness.leave(lease)
        }
    }

    @Test("the feed reads trades and candles that stay lacking at growing intervals")
    func unhelpfulCount() async throws {
        let harness = DetailFeedHarness()
        let tape = DetailInterest(market: "BTC_KRW", facet: .trades)
        harness.trades.put(TradeHistoryDTO(trades: []), symbol: "BTC_KRW")
        harness.lack([tape])
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .trades)
            harness.tasks.advance(by: .seconds(100))
            let times = harness.log.times { $0 == .trades(symbol: "BTC_KRW", count: 100) }
            #expect(times == [0, 1, 3, 7, 15, 31, 63, 95].map { .seconds($0) })
            harness.lack([])
            harness.tasks.advance(by: .seconds(100))
            harness.lack([tape])
            harness.log.clear()
            harness.tasks.advance(by: .seconds(4))
            let again = harness.log.times { $0 == .trades(symbol: "BTC_KRW", count: 100) }
            #expect(again == [201, 202, 204].map { .seconds($0) }, "a new lack is a new matter")
            harness.leave(lease)
        }
    }

    @Test("the feed sends one request at a time for the same data and shares its response")
    func singleFlight() async throws {
        let harness = DetailFeedHarness()
        harness.put(candles: "BTC_KRW", "24h")
        harness.candles.hold()
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .candles(.day1), .candles(.week1))
            harness.tasks.advance(by: .seconds(5))
            let other = harness.look("BTC_KRW", .candles(.month1), .candles(.day1))
            harness.feed.reload()
            harness.tasks.advance(by: .seconds(5))
            #expect(harness.candleTimes == [.zero])
            harness.candles.letGo()
            harness.tasks.settle()
            let series = harness.board.details["BTC_KRW"]?.candles ?? [:]
            #expect(Set(series.keys) == [.day1, .week1, .month1])
            #expect(series.values.allSatisfy { $0.isLoaded })
            let day = SeoulTime.timestamp(year: 2026, month: 11, day: 20)
            let month = SeoulTime.timestamp(year: 2026, month: 11, day: 1)
            #expect(series[.day1]?.first?.openTime == day)
            #expect(series[.month1]?.first?.openTime == month)
            harness.leave(lease)
            harness.leave(other)
        }
    }

    @Test("the feed drops a response after closing, and requests again for a new interest")
    func lateAnswer() async throws {
        let harness = DetailFeedHarness()
        harness.books.hold()
        try await harness.drive {
            harness.leave(harness.look("BTC_KRW", .book))
            harness.books.letGo()
            harness.tasks.settle()
            #expect(harness.deliveredBooks.isEmpty)
            #expect(harness.board.details.isEmpty)

            harness.books.hold()
            harness.leave(harness.look("BTC_KRW", .book))
            let lease = harness.look("BTC_KRW", .book)
            #expect(harness.bookTimes() == [.zero, .zero], "the first call is still under way")
            harness.books.letGo()
            harness.tasks.settle()
            // The answer of the earlier opening was dropped, then one of its own came.
            #expect(harness.bookTimes() == [.zero, .zero, .zero])
            #expect(harness.deliveredBooks.count == 1)
            harness.leave(lease)
        }
    }

    @Test("the feed reports a failure with the time of the next attempt, with backoff")
    func failures() async throws {
        let harness = DetailFeedHarness()
        let error = DataSourceError(.timedOut, "orderbook/BTC_KRW")
        harness.books.fail(error, symbol: "BTC_KRW")
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            let failure = harness.board.details["BTC_KRW"]?.failures[.book]
            #expect(failure?.failure == FeedFailure(error))
            #expect(failure?.nextRetryAt == .noon(1))
            harness.tasks.advance(by: .seconds(60))
            #expect(harness.bookTimes().count <= 18)
            #expect(harness.bookTimes().count >= 9)
            harness.put(book: "BTC_KRW")
            harness.feed.reload()
            harness.tasks.settle()
            #expect(harness.bookTimes().last == .seconds(60))
            #expect(harness.board.details["BTC_KRW"]?.failures.isEmpty == true)
            harness.leave(lease)
        }
    }

    @Test("the feed retries a refused market once a minute")
    func refused() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let lease = harness.look("NONE_KRW", .book, .trades)
            let failures = harness.board.details["NONE_KRW"]?.failures
            #expect(failures?[.book]?.failure.code == .refused)
            #expect(failures?[.trades]?.nextRetryAt == .noon(60))
            harness.tasks.advance(by: .seconds(150))
            #expect(harness.bookTimes("NONE_KRW") == [0, 60, 120].map { .seconds($0) })
            harness.leave(lease)
        }
    }

    @Test("the feed reports an implausible response and does not deliver it")
    func malformed() async throws {
        let harness = DetailFeedHarness()
        var books: [OrderBookDTO] = []
        books.append(OrderBookDTO(symbol: "BTC_KRW", atMicroseconds: .max, asks: [], bids: []))
        for book in books {
            harness.books.put(book)
            try await harness.drive {
                let lease = harness.look("BTC_KRW", .book)
                let failure = harness.board.details["BTC_KRW"]?.failures[.book]
                #expect(failure?.failure.code == .malformed)
                #expect(harness.board.details["BTC_KRW"]?.book.isReady == false)
                harness.leave(lease)
            }
        }
    }

    @Test("the feed refreshes books without a snapshot for 8 s, at two requests a second in total")
    func freshness() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            harness.acknowledge()
            harness.snapshot()
            harness.tasks.advance(by: .seconds(2))
            harness.log.clear()
            harness.tasks.advance(by: .seconds(30))
            let times = harness.bookTimes()
            #expect(times.count == 3 || times.count == 4)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .seconds(8) })
            harness.log.clear()
            for _ in 0..<60 {
                harness.tasks.advance(by: .milliseconds(500))
                harness.snapshot()
            }
            #expect(harness.bookTimes().isEmpty, "the stream keeps it fresh")
            harness.leave(lease)
        }
    }

    @Test("the feed serves books in turn when there are more books than requests")
    func freshnessOfMany() async throws {
        let harness = DetailFeedHarness()
        let markets = (0..<60).compactMap { MarketID(symbol: "C\($0)", quote: .krw) }
        for market in markets { harness.put(book: market.name) }
        try await harness.drive {
            let leases = markets.map { harness.look($0, .book) }
            harness.acknowledge(120)
            harness.tasks.advance(by: .seconds(20))
            harness.log.clear()
            harness.tasks.advance(by: .seconds(60))
            let times = markets.map { harness.bookTimes($0.name) }
            #expect(times.allSatisfy { $0.count == 2 }, "each as often as any other")
            #expect(times.flatMap(\.self).mostInOneSecond <= 2)
            #expect(times.flatMap(\.self).count == 120)
            for lease in leases { harness.leave(lease) }
        }
    }
}
