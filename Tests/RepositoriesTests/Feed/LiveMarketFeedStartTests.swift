import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("A feed starts without a gap")
struct LiveMarketFeedStartTests {
    private static let subscriptions = [
        StreamSubscriptionDTO(
            type: "ticker",
            symbols: ["BTC_KRW", "XRP_KRW", "ETH_BTC"],
            tickTypes: ["24H", "MID", "12H", "1H", "30M"]
        ),
        StreamSubscriptionDTO(type: "transaction", symbols: ["BTC_KRW", "XRP_KRW", "ETH_BTC"]),
    ]

    @Test("the feed reads the listing, connects, subscribes, reads again, and is live")
    func order() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            #expect(
                harness.log.requests == [
                    .listing(quote: "KRW"), .listing(quote: "BTC"), .connection,
                    .subscription(Self.subscriptions),
                    .listing(quote: "KRW"), .listing(quote: "BTC"),
                ]
            )
            #expect(harness.feedEvents == [.subscribed, .live])
            #expect(harness.status.isComplete)
            #expect(harness.board.markets.map(\.id) == ["BTC_KRW", "XRP_KRW", "ETH_BTC"])
        }
        #expect(harness.streams.streams.map(\.isClosed) == [true])
    }

    @Test("the feed is not live before the listing after the subscription")
    func liveAfterListing() async throws {
        let harness = FeedHarness()
        harness.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await harness.drive {
            harness.streams.refuse(with: nil)
            harness.tickers.hold()
            harness.tasks.advance(by: .milliseconds(250))
            #expect(harness.status.connection == .subscribed)
            // A trade made after the pending listing arrives before it.
            harness.trade(price: "105")
            #expect(harness.status.connection == .subscribed)
            harness.tickers.letGo()
            harness.tasks.settle()
            #expect(harness.status.connection == .live)
            #expect(harness.status.isComplete)
            #expect(harness.board.market("BTC_KRW")?.price == "105")
        }
    }

    @Test("the feed does not connect before the first listing")
    func nothingToSubscribe() async throws {
        let harness = FeedHarness()
        harness.setReachable(false)
        try await harness.drive {
            harness.tasks.advance(by: .seconds(20))
            #expect(harness.connectionTimes.isEmpty)
            #expect(harness.status.listingFailure?.code == .unreachable)
            harness.setReachable(true)
            harness.tasks.advance(by: .seconds(8))
            #expect(harness.connectionTimes.count == 1)
            #expect(harness.status.connection == .live)
        }
    }

    @Test(
        "the feed plays a recording without listings, whether requested or reported by the server",
        arguments: [FeedKind.replay, .live]
    )
    func framesAlone(kind: FeedKind) async throws {
        let harness = FeedHarness(kind: kind)
        var refusal = DataSourceError(.refused(status: "5500", message: "not recorded"), "ticker")
        refusal.feedLabel = kind == .replay ? nil : "replay"
        harness.tickers.fail(refusal, quote: "KRW")
        harness.tickers.fail(refusal, quote: "BTC")
        try await harness.drive {
            #expect(harness.connectionTimes.count == 1)
            let named = harness.feedEvents.filter { $0 == .identified(.replay) }
            #expect(named.count == (kind == .replay ? 0 : 1))
            harness.trade(price: "105")
            harness.hangUp(.ended)
            #expect(harness.status.connection == .ended)
            #expect(harness.status.listingFailure?.code == .refused)
            #expect(harness.board.market("BTC_KRW")?.price == "105")
        }
    }

    @Test("the feed does not connect when a live server refuses every listing")
    func refusedListings() async throws {
        let harness = FeedHarness()
        let refusal = DataSourceError(.refused(status: "5500", message: "no"), "ticker")
        harness.tickers.fail(refusal, quote: "KRW")
        harness.tickers.fail(refusal, quote: "BTC")
        try await harness.drive {
            harness.tasks.advance(by: .seconds(20))
            #expect(harness.connectionTimes.isEmpty)
        }
    }

    @Test("the feed reads the listing again for each acknowledgement, at most three times")
    func acknowledgements() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(1))
            harness.log.clear()
            for count in 1...5 {
                harness.say("0000", "Filter Registered Successfully")
                #expect(harness.listingTimes.count == min(count, 3))
            }
        }
    }

    @Test(
        "the feed closes and reopens a connection whose subscription is refused",
        arguments: [("5100", "Invalid Filter Syntax"), ("5600", "잠시 후 이용")]
    )
    func refusal(status: String, message: String) async throws {
        let harness = FeedHarness()
        try await harness.drive {
            harness.say(status, message)
            let failure = FeedFailure(
                code: .refused,
                detail: "\(status) \(message)",
                isRetryable: true
            )
            #expect(harness.status.streamFailure == failure)
            #expect(
                harness.status.connection
                    == .reconnecting(attempt: 1, nextRetryAt: .noon(plus: .milliseconds(250)))
            )
            #expect(harness.streams.streams.map(\.isClosed) == [true])
            harness.tasks.advance(by: .milliseconds(250))
            #expect(harness.status.connection == .live)
        }
    }

    @Test(
        "the feed reports the feed label of the source once",
        arguments: ["simulated", "replay"]
    )
    func labels(label: String) async throws {
        let harness = FeedHarness()
        harness.list([TickerDTO("BTC", price: "100")], label: label)
        harness.list([TickerDTO("ETH", price: "1")], quote: "BTC", label: label)
        try await harness.drive {
            harness.tasks.advance(by: .seconds(4))
            let kind = try #require(FeedKind(rawValue: label))
            #expect(harness.status.kind == kind)
            #expect(harness.feedEvents.filter { $0 == .identified(kind) }.count == 1)
        }
    }

    /// A listing with an entry that cannot be read.
    private static let withOddEntry = TickerAllDTO(
        tickers: [TickerDTO("BTC", price: "100")],
        skipped: [SkippedEntryDTO(key: "ODD", reason: "closing_price")]
    )

    @Test("the feed counts skipped entries and serves the others")
    func skipped() async throws {
        let harness = FeedHarness()
        harness.tickers.put(Self.withOddEntry, quote: "KRW")
        try await harness.drive {
            // Read before and after subscribing.
            #expect(harness.status.entriesSkipped == 2)
            #expect(harness.board.market("BTC_KRW")?.price == "100")
        }
    }

    @Test("the feed subscribes the full list again within fifteen seconds of a new market")
    func newMarket() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            #expect(harness.subscriptions.count == 1)
            harness.list([TickerDTO("BTC", price: "100"), TickerDTO("NEW", price: "5")])
            for _ in 0..<15 {
                harness.tasks.advance(by: .seconds(1))
                harness.trade()
            }
            #expect(harness.subscriptions.count == 2)
            let full = ["BTC_KRW", "XRP_KRW", "ETH_BTC", "NEW_KRW"]
            #expect(harness.subscriptions.last?.map(\.symbols) == [full, full])
            #expect(harness.connectionTimes.count == 1)
            #expect(harness.board.market("XRP_KRW")?.isTrading == false)
            harness.list([TickerDTO("BTC", price: "100"), TickerDTO("NEWER", price: "5")])
            for _ in 0..<30 {
                harness.tasks.advance(by: .seconds(1))
                harness.trade()
            }
            #expect(harness.subscriptions.count == 3, "once for each time that something is new")
            #expect(harness.subscriptions.last?.first?.symbols == full + ["NEWER_KRW"])
        }
    }

    @Test("a market whose entry is missing or cannot be read is subscribed, too")
    func unreadableMarket() async throws {
        let harness = FeedHarness()
        harness.tickers.put(Self.withOddEntry, quote: "KRW")
        try await harness.drive {
            let all = ["BTC_KRW", "ODD_KRW", "ETH_BTC"]
            harness.tasks.advance(by: .seconds(15))
            #expect(harness.subscriptions.last?.map(\.symbols) == [all, all])
            harness.list([TickerDTO("BTC", price: "100"), TickerDTO("ODD", price: "5")])
            harness.tasks.advance(by: .seconds(15))
            #expect(harness.subscriptions.last?.map(\.symbols) == [all, all])
            #expect(harness.board.market("ODD_KRW")?.price == "5")
        }
    }

    @Test("the feed ends when it is cancelled, in any state", arguments: 0..<5)
    func cancellation(state: Int) async throws {
        let harness = FeedHarness()
        switch state {
        case 0: harness.setReachable(false)
        case 1: harness.tickers.hold()
        case 2: harness.streams.delay(by: .seconds(3))
        case 3: harness.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        default: break
        }
        // `drive` returns only if the feed ends.
        try await harness.drive { harness.tasks.advance(by: .seconds(1)) }
        harness.log.clear()
        harness.tasks.advance(by: .seconds(60))
        #expect(harness.log.requests.isEmpty)
        #expect(harness.streams.streams.map(\.isClosed) == (state == 4 ? [true] : []))
    }
}
