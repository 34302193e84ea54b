import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Listings are read on schedule, and their failures are reported")
struct LiveMarketFeedListingTests {
    /// Lets time go on while the busiest market trades each second.
    private func pass(_ seconds: Int, _ bench: FeedHarness) {
        for _ in 0..<seconds {
            bench.tasks.advance(by: .seconds(1))
            bench.trade()
        }
    }

    @Test("reads every ten seconds without failures")
    func schedule() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            pass(60, bench)
            let expected: [Duration] = [.zero] + (0...6).map { .seconds($0 * 10) }
            #expect(bench.listingTimes == expected)
            #expect(bench.log.times { $0 == .listing(quote: "BTC") } == expected)
        }
    }

    @Test("reads at 00:00:01 in Seoul, and reports the new day at 00:00:00")
    func midnight() async throws {
        let midnight = SeoulTime.timestamp(year: 2026, month: 11, day: 21)
        let day = SeoulTime(midnight).day
        let bench = FeedHarness(start: midnight.advanced(by: .seconds(-4)))
        try await bench.drive {
            pass(4, bench)
            let dayEvents = bench.events.filter { $0.event == .dayBegan(day) }
            #expect(dayEvents.map(\.at) == [.seconds(4)])
            let market = try #require(bench.board.market("XRP_KRW"))
            let unknown = bench.board.change(of: market, over: .midnight, now: bench.now)
            #expect(unknown.ratePercent == nil)
            pass(1, bench)
            #expect(bench.listingTimes.last == .seconds(5))
            let listed = try #require(bench.board.market("XRP_KRW"))
            let known = bench.board.change(of: listed, over: .midnight, now: bench.now)
            #expect(known.ratePercent == .zero)
            pass(200, bench)
            #expect(bench.events.filter { $0.event == .dayBegan(day) }.count == 1)
        }
    }

    @Test("reports each midnight once")
    func midnights() async throws {
        let midnight = SeoulTime.timestamp(year: 2026, month: 11, day: 21)
        let bench = FeedHarness(start: midnight.advanced(by: .microseconds(-1)))
        bench.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await bench.drive {
            bench.tasks.advance(by: .seconds(3 * 86_400 - 10))
            let days = bench.events.compactMap { event -> Int? in
                if case .dayBegan(let day) = event.event { day } else { nil }
            }
            let first = SeoulTime(midnight).day
            #expect(days == [first, first + 1, first + 2])
        }
    }

    @Test("does not report midnights for a recording")
    func replayCalendar() async throws {
        let midnight = SeoulTime.timestamp(year: 2026, month: 11, day: 21)
        let bench = FeedHarness(kind: .replay, start: midnight.advanced(by: .seconds(-4)))
        try await bench.drive {
            bench.tasks.advance(by: .seconds(30))
            let isTold = bench.events.contains {
                if case .dayBegan = $0.event { true } else { false }
            }
            #expect(!isTold)
        }
    }

    @Test("reports a failure with its next attempt, and the recovery")
    func failure() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            pass(9, bench)
            bench.tickers.fail(DataSourceError(.httpStatus(503), "ticker/ALL_KRW"), quote: "KRW")
            pass(1, bench)
            let failure = FeedFailure(code: .httpStatus, detail: "HTTP 503", isRetryable: true)
            #expect(bench.status.listingFailure == failure)
            #expect(bench.status.listingRetryAt == .noon(plus: .milliseconds(10_250)))
            #expect(bench.status.connection == .live, "the stream is well")
            bench.tasks.advance(by: .milliseconds(250))
            #expect(bench.status.listingRetryAt == .noon(plus: .milliseconds(10_750)))
            bench.list([TickerDTO("BTC", price: "100")])
            bench.tasks.advance(by: .milliseconds(500))
            #expect(bench.status.listingFailure == nil)
            #expect(bench.status.listingRetryAt == nil)
            pass(9, bench)
            #expect(bench.listingTimes.last == .milliseconds(10_750))
            pass(1, bench)
            #expect(bench.listingTimes.last == .milliseconds(20_750))
            bench.tickers.fail(DataSourceError(.timedOut, "ticker/ALL_KRW"), quote: "KRW")
            pass(10, bench)
            let first = Timestamp.noon(plus: .milliseconds(30_750 + 250))
            #expect(bench.status.listingRetryAt == first, "patience begins anew")
        }
    }

    @Test(
        "requests the other quote currency unless the server failed",
        arguments: [
            (.refused(status: "5500", message: "입력값"), true), (.malformed, true),
            (.unreachable, false), (.untrusted, false), (.timedOut, false), (.disconnected, false),
            (.httpStatus(500), false), (.rateLimited(retryAfter: .seconds(1)), false),
            (.proxy, false),
        ] as [(DataSourceError.Code, Bool)]
    )
    func otherQuote(code: DataSourceError.Code, isAsked: Bool) async throws {
        let bench = FeedHarness()
        bench.tickers.fail(DataSourceError(code, "ticker/ALL_KRW"), quote: "KRW")
        try await bench.drive {
            let other = bench.log.times { $0 == .listing(quote: "BTC") }
            #expect(other.count == (isAsked ? bench.listingTimes.count : 0))
            #expect(bench.status.listingFailure != nil)
        }
    }

    @Test("follows served listings when one fails, and reports the gap")
    func incomplete() async throws {
        let bench = FeedHarness()
        let error = DataSourceError(.refused(status: "5500", message: "no"), "ticker/ALL_BTC")
        bench.tickers.fail(error, quote: "BTC")
        try await bench.drive {
            pass(30, bench)
            #expect(bench.status.connection == .live)
            #expect(!bench.status.isComplete)
            #expect(bench.board.market("BTC_KRW")?.price == "100", "what can be served is")
            #expect(bench.status.listingFailure?.detail == "5500 no")
            let times = [.zero] + (0...3).map { Duration.seconds($0 * 10) }
            #expect(bench.listingTimes == times, "the others keep their schedule")
            #expect(bench.status.listingRetryAt == .noon(40))
            bench.list([TickerDTO("ETH", price: "0.05")], quote: "BTC")
            pass(10, bench)
            #expect(bench.status.isComplete)
            #expect(bench.status.listingFailure == nil)
            #expect(bench.subscriptions.last?.first?.symbols.contains("ETH_BTC") == true)
        }
    }

    @Test("keeps a pause that the exchange asked for, despite reloads")
    func rateLimited() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            let error = DataSourceError(.rateLimited(retryAfter: .seconds(7)), "ticker")
            bench.tickers.fail(error, quote: "KRW")
            bench.log.clear()
            bench.feed.reload()
            bench.tasks.settle()
            #expect(bench.status.listingFailure?.code == .rateLimited)
            #expect(bench.status.listingRetryAt == .noon(7))
            bench.feed.reload()
            bench.say("0000", "Filter Registered Successfully")
            pass(6, bench)
            #expect(bench.listingTimes == [.zero])
            bench.list([TickerDTO("BTC", price: "100")])
            pass(1, bench)
            #expect(bench.listingTimes == [.zero, .seconds(7)])
            #expect(bench.status.listingFailure == nil)
        }
    }

    @Test("is read again on request, after success or failure")
    func reload() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            pass(3, bench)
            bench.log.clear()
            bench.feed.reload()
            bench.tasks.settle()
            #expect(bench.listingTimes == [.seconds(3)])
            bench.setReachable(false)
            pass(30, bench)
            bench.log.clear()
            bench.feed.reload()
            bench.tasks.settle()
            #expect(bench.listingTimes == [.seconds(33)])
        }
    }

    @Test("holds at most as many markets as a board")
    func directoryBound() throws {
        var directory = MarketDirectory()
        for start in stride(from: 0, to: MarketBoard.marketsMax + 2_000, by: 1_000) {
            let entries = (start..<start + 1_000).map {
                ListingEntry(MarketID(stringLiteral: "C\($0)_KRW"))
            }
            directory.add(Listing(at: .noon(), entries))
        }
        #expect(directory.names.count == MarketBoard.marketsMax)
        #expect(directory.names.first == "C0_KRW")
        #expect(Set(directory.names).count == directory.names.count)
    }
}
