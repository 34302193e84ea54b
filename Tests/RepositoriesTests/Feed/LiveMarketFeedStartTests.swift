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

    @Test("reads the listing, connects, subscribes, reads again, and is live")
    func order() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            #expect(
                bench.log.requests == [
                    .listing(quote: "KRW"), .listing(quote: "BTC"), .connection,
                    .subscription(Self.subscriptions),
                    .listing(quote: "KRW"), .listing(quote: "BTC"),
                ]
            )
            #expect(bench.feedEvents == [.subscribed, .live])
            #expect(bench.status.isComplete)
            #expect(bench.board.markets.map(\.id) == ["BTC_KRW", "XRP_KRW", "ETH_BTC"])
        }
        #expect(bench.streams.streams.map(\.isClosed) == [true])
    }

    @Test("is not live before the listing after the subscription")
    func liveAfterListing() async throws {
        let bench = FeedHarness()
        bench.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await bench.drive {
            bench.streams.refuse(with: nil)
            bench.tickers.hold()
            bench.tasks.advance(by: .milliseconds(250))
            #expect(bench.status.connection == .subscribed)
            // Made after the answer that is on its way, heard before it.
            bench.trade(price: "105")
            #expect(bench.status.connection == .subscribed)
            bench.tickers.letGo()
            bench.tasks.settle()
            #expect(bench.status.connection == .live)
            #expect(bench.status.isComplete)
            #expect(bench.board.market("BTC_KRW")?.price == "105")
        }
    }

    @Test("does not connect before the first listing")
    func nothingToSubscribe() async throws {
        let bench = FeedHarness()
        bench.setReachable(false)
        try await bench.drive {
            bench.tasks.advance(by: .seconds(20))
            #expect(bench.connectionTimes.isEmpty)
            #expect(bench.status.listingFailure?.code == .unreachable)
            bench.setReachable(true)
            bench.tasks.advance(by: .seconds(8))
            #expect(bench.connectionTimes.count == 1)
            #expect(bench.status.connection == .live)
        }
    }

    @Test(
        "plays a recording that holds no listing, whether that was asked for or the server says so",
        arguments: [FeedKind.replay, .live]
    )
    func framesAlone(kind: FeedKind) async throws {
        let bench = FeedHarness(kind: kind)
        var refusal = DataSourceError(.refused(status: "5500", message: "not recorded"), "ticker")
        refusal.feedLabel = kind == .replay ? nil : "replay"
        bench.tickers.fail(refusal, quote: "KRW")
        bench.tickers.fail(refusal, quote: "BTC")
        try await bench.drive {
            #expect(bench.connectionTimes.count == 1)
            let named = bench.feedEvents.filter { $0 == .identified(.replay) }
            #expect(named.count == (kind == .replay ? 0 : 1))
            bench.trade(price: "105")
            bench.hangUp(.ended)
            #expect(bench.status.connection == .ended)
            #expect(bench.status.listingFailure?.code == .refused)
            #expect(bench.board.market("BTC_KRW")?.price == "105")
        }
    }

    @Test("does not connect when a live server refuses every listing")
    func refusedListings() async throws {
        let bench = FeedHarness()
        let refusal = DataSourceError(.refused(status: "5500", message: "no"), "ticker")
        bench.tickers.fail(refusal, quote: "KRW")
        bench.tickers.fail(refusal, quote: "BTC")
        try await bench.drive {
            bench.tasks.advance(by: .seconds(20))
            #expect(bench.connectionTimes.isEmpty)
        }
    }

    @Test("reads the listing again for each acknowledgement, at most three times")
    func acknowledgements() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(1))
            bench.log.clear()
            for count in 1...5 {
                bench.say("0000", "Filter Registered Successfully")
                #expect(bench.listingTimes.count == min(count, 3))
            }
        }
    }

    @Test(
        "gives the connection up when the server does not accept",
        arguments: [("5100", "Invalid Filter Syntax"), ("5600", "잠시 후 이용")]
    )
    func refusal(status: String, message: String) async throws {
        let bench = FeedHarness()
        try await bench.drive {
            bench.say(status, message)
            let failure = FeedFailure(
                code: .refused,
                detail: "\(status) \(message)",
                isRetryable: true
            )
            #expect(bench.status.streamFailure == failure)
            #expect(
                bench.status.connection
                    == .reconnecting(attempt: 1, nextRetryAt: .noon(plus: .milliseconds(250)))
            )
            #expect(bench.streams.streams.map(\.isClosed) == [true])
            bench.tasks.advance(by: .milliseconds(250))
            #expect(bench.status.connection == .live)
        }
    }

    @Test(
        "reports the feed label of the source once",
        arguments: ["simulated", "replay"]
    )
    func labels(label: String) async throws {
        let bench = FeedHarness()
        bench.list([TickerDTO("BTC", price: "100")], label: label)
        bench.list([TickerDTO("ETH", price: "1")], quote: "BTC", label: label)
        try await bench.drive {
            bench.tasks.advance(by: .seconds(4))
            let kind = try #require(FeedKind(rawValue: label))
            #expect(bench.status.kind == kind)
            #expect(bench.feedEvents.filter { $0 == .identified(kind) }.count == 1)
        }
    }

    @Test("counts skipped entries and serves the others")
    func skipped() async throws {
        let bench = FeedHarness()
        let answer = TickerAllDTO(
            tickers: [TickerDTO("BTC", price: "100")],
            skipped: [SkippedEntryDTO(key: "ODD", reason: "closing_price")]
        )
        bench.tickers.put(answer, quote: "KRW")
        try await bench.drive {
            // Read before and after subscribing.
            #expect(bench.status.entriesSkipped == 2)
            #expect(bench.board.market("BTC_KRW")?.price == "100")
        }
    }

    @Test("subscribes the full list again within fifteen seconds of a new market")
    func newMarket() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            #expect(bench.subscriptions.count == 1)
            bench.list([TickerDTO("BTC", price: "100"), TickerDTO("NEW", price: "5")])
            for _ in 0..<15 {
                bench.tasks.advance(by: .seconds(1))
                bench.trade()
            }
            #expect(bench.subscriptions.count == 2)
            let full = ["BTC_KRW", "XRP_KRW", "ETH_BTC", "NEW_KRW"]
            #expect(bench.subscriptions.last?.map(\.symbols) == [full, full])
            #expect(bench.connectionTimes.count == 1)
            #expect(bench.board.market("XRP_KRW")?.isTrading == false)
            bench.list([TickerDTO("BTC", price: "100"), TickerDTO("NEWER", price: "5")])
            for _ in 0..<30 {
                bench.tasks.advance(by: .seconds(1))
                bench.trade()
            }
            #expect(bench.subscriptions.count == 3, "once for each time that something is new")
            #expect(bench.subscriptions.last?.first?.symbols == full + ["NEWER_KRW"])
        }
    }

    @Test("ends when it is cancelled, in any state", arguments: 0..<5)
    func cancellation(state: Int) async throws {
        let bench = FeedHarness()
        switch state {
        case 0: bench.setReachable(false)
        case 1: bench.tickers.hold()
        case 2: bench.streams.delay(by: .seconds(3))
        case 3: bench.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        default: break
        }
        // That `drive` returns is the claim: it stops the run when the work goes on.
        try await bench.drive { bench.tasks.advance(by: .seconds(1)) }
        bench.log.clear()
        bench.tasks.advance(by: .seconds(60))
        #expect(bench.log.requests.isEmpty)
        #expect(bench.streams.streams.map(\.isClosed) == (state == 4 ? [true] : []))
    }
}
