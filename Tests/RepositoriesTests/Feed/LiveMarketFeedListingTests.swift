import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Listings are read on schedule, and their failures are reported")
struct LiveMarketFeedListingTests {
    /// Advances time while the busiest market trades each second.
    private func pass(_ seconds: Int, _ harness: FeedHarness) {
        for _ in 0..<seconds {
            harness.tasks.advance(by: .seconds(1))
            harness.trade()
        }
    }

    @Test("the feed reads every ten seconds without failures")
    func schedule() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            pass(60, harness)
            let expected: [Duration] = [.zero] + (0...6).map { .seconds($0 * 10) }
            #expect(harness.listingTimes == expected)
            #expect(harness.log.times { $0 == .listing(quote: "BTC") } == expected)
        }
    }

    @Test("the feed reads at 00:00:01 in Seoul, and reports the new day at 00:00:00")
    func midnight() async throws {
        let midnight = SeoulTime.timestamp(year: 2026, month: 11, day: 21)
        let day = SeoulTime(midnight).day
        let harness = FeedHarness(start: midnight.advanced(by: .seconds(-4)))
        try await harness.drive {
            pass(4, harness)
            let dayEvents = harness.events.filter { $0.event == .dayBegan(day) }
            #expect(dayEvents.map(\.at) == [.seconds(4)])
            let market = try #require(harness.board.market("XRP_KRW"))
            let unknown = harness.board.change(of: market, over: .midnight, now: harness.now)
            #expect(unknown.ratePercent == nil)
            pass(1, harness)
            #expect(harness.listingTimes.last == .seconds(5))
            let listed = try #require(harness.board.market("XRP_KRW"))
            let known = harness.board.change(of: listed, over: .midnight, now: harness.now)
            #expect(known.ratePercent == .zero)
            pass(200, harness)
            #expect(harness.events.filter { $0.event == .dayBegan(day) }.count == 1)
        }
    }

    @Test("the feed reports each midnight once")
    func midnights() async throws {
        let midnight = SeoulTime.timestamp(year: 2026, month: 11, day: 21)
        let harness = FeedHarness(start: midnight.advanced(by: .microseconds(-1)))
        harness.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await harness.drive {
            harness.tasks.advance(by: .seconds(3 * 86_400 - 10))
            let days = harness.events.compactMap { event -> Int? in
                if case .dayBegan(let day) = event.event { day } else { nil }
            }
            let first = SeoulTime(midnight).day
            #expect(days == [first, first + 1, first + 2])
        }
    }

    @Test("the feed does not report midnights for a recording")
    func replayCalendar() async throws {
        let midnight = SeoulTime.timestamp(year: 2026, month: 11, day: 21)
        let harness = FeedHarness(kind: .replay, start: midnight.advanced(by: .seconds(-4)))
        try await harness.drive {
            harness.tasks.advance(by: .seconds(30))
            let isTold = harness.events.contains {
                if case .dayBegan = $0.event { true } else { false }
            }
            #expect(!isTold)
        }
    }

    @Test("the feed reports a failure with its next attempt, and the recovery")
    func failure() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            pass(9, harness)
            harness.tickers.fail(DataSourceError(.httpStatus(503), "ticker/ALL_KRW"), quote: "KRW")
            pass(1, harness)
            let failure = FeedFailure(code: .httpStatus, detail: "HTTP 503", isRetryable: true)
            #expect(harness.status.listingFailure == failure)
            #expect(harness.status.listingRetryAt == .noon(plus: .milliseconds(10_250)))
            #expect(harness.status.connection == .live, "the stream is well")
            harness.tasks.advance(by: .milliseconds(250))
            #expect(harness.status.listingRetryAt == .noon(plus: .milliseconds(10_750)))
            harness.list([TickerDTO("BTC", price: "100")])
            harness.tasks.advance(by: .milliseconds(500))
            #expect(harness.status.listingFailure == nil)
            #expect(harness.status.listingRetryAt == nil)
            pass(9, harness)
            #expect(harness.listingTimes.last == .milliseconds(10_750))
            pass(1, harness)
            #expect(harness.listingTimes.last == .milliseconds(20_750))
            harness.tickers.fail(DataSourceError(.timedOut, "ticker/ALL_KRW"), quote: "KRW")
            pass(10, harness)
            let first = Timestamp.noon(plus: .milliseconds(30_750 + 250))
            #expect(harness.status.listingRetryAt == first, "patience begins anew")
        }
    }

    @Test(
        "the feed requests the other quote currency unless the server failed",
        arguments: [
            (.refused(status: "5500", message: "입력값"), true), (.malformed, true),
            (.unreachable, false), (.untrusted, false), (.timedOut, false), (.disconnected, false),
            (.httpStatus(500), false), (.rateLimited(retryAfter: .seconds(1)), false),
            (.proxy, false),
        ] as [(DataSourceError.Code, Bool)]
    )
    func otherQuote(code: DataSourceError.Code, isAsked: Bool) async throws {
        let harness = FeedHarness()
        harness.tickers.fail(DataSourceError(code, "ticker/ALL_KRW"), quote: "KRW")
        try await harness.drive {
            let other = harness.log.times { $0 == .listing(quote: "BTC") }
            #expect(other.count == (isAsked ? harness.listingTimes.count : 0))
            #expect(harness.status.listingFailure != nil)
        }
    }

    @Test("the feed follows served listings when one fails, and reports the gap")
    func incomplete() async throws {
        let harness = FeedHarness()
        let error = DataSourceError(.refused(status: "5500", message: "no"), "ticker/ALL_BTC")
        harness.tickers.fail(error, quote: "BTC")
        try await harness.drive {
            pass(30, harness)
            #expect(harness.status.connection == .live)
            #expect(!harness.status.isComplete)
            #expect(harness.board.market("BTC_KRW")?.price == "100", "what can be served is")
            #expect(harness.status.listingFailure?.detail == "5500 no")
            let times = [.zero] + (0...3).map { Duration.seconds($0 * 10) }
            #expect(harness.listingTimes == times, "the others keep their schedule")
            #expect(harness.status.listingRetryAt == .noon(40))
            harness.list([TickerDTO("ETH", price: "0.05")], quote: "BTC")
            pass(10, harness)
            #expect(harness.status.isComplete)
            #expect(harness.status.listingFailure == nil)
            #expect(harness.subscriptions.last?.first?.symbols.contains("ETH_BTC") == true)
        }
    }

    @Test("the feed keeps a pause that the exchange asked for, despite reloads")
    func rateLimited() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            let error = DataSourceError(.rateLimited(retryAfter: .seconds(7)), "ticker")
            harness.tickers.fail(error, quote: "KRW")
            harness.log.clear()
            harness.feed.reload()
            harness.tasks.settle()
            #expect(harness.status.listingFailure?.code == .rateLimited)
            #expect(harness.status.listingRetryAt == .noon(7))
            harness.feed.reload()
            harness.say("0000", "Filter Registered Successfully")
            pass(6, harness)
            #expect(harness.listingTimes == [.zero])
            harness.list([TickerDTO("BTC", price: "100")])
            pass(1, harness)
            #expect(harness.listingTimes == [.zero, .seconds(7)])
            #expect(harness.status.listingFailure == nil)
        }
    }

    @Test("the listing is read again on request, after success or failure")
    func reload() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            pass(3, harness)
            harness.log.clear()
            harness.feed.reload()
            harness.tasks.settle()
            #expect(harness.listingTimes == [.seconds(3)])
            harness.setReachable(false)
            pass(30, harness)
            harness.log.clear()
            harness.feed.reload()
            harness.tasks.settle()
            #expect(harness.listingTimes == [.seconds(33)])
        }
    }

    @Test("the feed holds at most as many markets as a board")
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
