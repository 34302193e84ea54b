import Concurrency
import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("A feed over both API generations takes each fact from one of them")
struct SelectedMarketFeedTests {
    @Test("prices and trades come from 2.x, and of 1.x the rolling periods alone count")
    func division() async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            #expect(exchange.board.feed.connection == .live)
            #expect(exchange.board.feed.api == .v2)
            let types = exchange.subscriptions(of: .v1).map(\.type)
            #expect(types == ["ticker"])
            #expect(
                exchange.subscriptions(of: .v1).first?.tickTypes == ["24H", "12H", "1H", "30M"]
            )
            #expect(exchange.subscriptions(of: .v2).map(\.type) == ["ticker", "transaction"])
            exchange.trade(.v2, price: "110")
            exchange.frame(open: "100", close: "999")
            let market = try #require(exchange.board.market("BTC_KRW"))
            #expect(market.price == "110", "the other generation's price does not count")
            let change = exchange.board.change(of: market, over: .hour1, now: exchange.now)
            #expect(change.amount == "10", "its base does")
            exchange.trade(.v1, price: "555")
            #expect(exchange.board.market("BTC_KRW")?.price == "110")
            #expect(exchange.board.tape(of: "BTC_KRW").count == 1)
        }
    }

    @Test("1.x takes over when 2.x is gone, and gives back when it answers again")
    func takeover() async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.trade(.v2, price: "110")
            exchange.end(.v2)
            // The listing and the stream are asked for again, and say so three times.
            exchange.advance(seconds: 4) { exchange.frame(open: "100", close: "100") }
            #expect(exchange.selector.use.value.inUse == [.v1])
            #expect(exchange.board.feed.apis.map(\.api) == [.v1, .v2])
            #expect(exchange.board.feed.apis.first?.leave == nil)
            #expect(exchange.board.feed.apis.last?.leave?.failure.code == .httpStatus)
            #expect(exchange.subscriptions(of: .v1).map(\.type) == ["ticker", "transaction"])
            #expect(exchange.board.feed.connection == .live)
            #expect(exchange.board.feed.api == .v1)
            exchange.trade(.v1, price: "120")
            #expect(exchange.board.market("BTC_KRW")?.price == "120")

            exchange.restore(.v2)
            exchange.advance(seconds: 605) { exchange.trade(.v1, price: "121") }
            #expect(exchange.selector.use.value.inUse == [.v1], "one good probe is not enough")
            exchange.advance(seconds: 12) { exchange.trade(.v1, price: "122") }
            #expect(exchange.selector.use.value.inUse == Set(APIGeneration.allCases))
            #expect(exchange.selector.use.value.primary == .v1, "2.x has sent nothing yet")
            #expect(exchange.board.feed.apis.allSatisfy { $0.leave == nil })
            #expect(exchange.board.feed.connection == .live)
            exchange.trade(.v2, price: "129")
            #expect(exchange.selector.use.value.primary == .v2)
            #expect(exchange.board.feed.api == .v2)
            let told = exchange.board.tape(of: "BTC_KRW").map(\.price)
            #expect(!told.contains("129"), "it came before readers were told of 2.x")
            exchange.trade(.v2, price: "130")
            #expect(exchange.board.market("BTC_KRW")?.price == "130")
            #expect(exchange.board.feed.connection == .live)
            exchange.trade(.v1, price: "131")
            #expect(exchange.board.market("BTC_KRW")?.price == "130")
        }
    }

    @Test("2.x that returns and is left again before slow readers know of it changes nothing")
    func quickReturn() async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.leaveAndReturn()
            #expect(exchange.selector.use.value.inUse == Set(APIGeneration.allCases))
            exchange.hold(.everything)
            exchange.trade(.v2, price: "129")
            #expect(exchange.selector.use.value.primary == .v2)
            exchange.end(.v2)
            exchange.advance(seconds: 4) { exchange.trade(.v1, price: "122") }
            #expect(exchange.selector.use.value.inUse == [.v1])
            exchange.hold(.nothing)
            exchange.advance(seconds: 2) { exchange.trade(.v1, price: "123") }
            #expect(exchange.board.feed.connection == .live)
            #expect(exchange.board.feed.api == .v1)
            #expect(exchange.board.market("BTC_KRW")?.price == "123")
            #expect(!exchange.board.tape(of: "BTC_KRW").map(\.price).contains("129"))
        }
    }

    @Test("a trade that is under way when 2.x takes over reaches readers before the loss")
    func tradeUnderWay() async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.leaveAndReturn()
            exchange.hold(.trades)
            exchange.trade(.v1, price: "122")
            exchange.trade(.v2, price: "129")
            #expect(exchange.selector.use.value.primary == .v2)
            #expect(exchange.board.feed.api == .v1, "a trade of 1.x is under way")
            exchange.hold(.nothing)
            #expect(exchange.board.feed.api == .v2)
            #expect(exchange.board.tape(of: "BTC_KRW").first?.price == "122")
            #expect(exchange.board.tape(of: "BTC_KRW").openGapFrom == exchange.now)
        }
    }

    @Test("a slow stream that takes over repeats no trade, and brings the later ones")
    func slowTakeover() async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.trade(.v2, price: "110")
            exchange.end(.v2)
            exchange.advance(seconds: 4) { exchange.frame(open: "100", close: "100") }
            #expect(exchange.board.feed.api == .v1)
            exchange.trade(.v1, price: "110", late: .seconds(4))
            #expect(exchange.board.tape(of: "BTC_KRW").count == 1)
            exchange.trade(.v1, price: "120", late: .milliseconds(3_990))
            #expect(exchange.board.tape(of: "BTC_KRW").map(\.price) == ["120", "110"])
        }
    }

    @Test("of the trades that were told, a bounded number of one moment is remembered")
    func crowdedMoment() {
        var delivered = DeliveredTrades()
        let trades = (1...DeliveredTrades.momentMax + 1).map { number in
            MarketEvent.trade(
                Trade("BTC_KRW", price: FixedDecimal(units: Int128(number)), at: .noon())
            )
        }
        let batch = MarketEventBatch(events: trades, receivedAt: .noon())
        #expect(delivered.take(batch).events == trades)
        delivered.handOver()
        #expect(delivered.take(batch).events == trades.suffix(1))
    }

    @Test("prices pause for at most two seconds when 2.x ends", arguments: GenerationHarness.ends)
    func pause(end: DataSourceError) async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.trade(.v2, price: "110")
            exchange.end(.v2, as: end)
            var tenths = 0
            while exchange.board.market("BTC_KRW")?.price != "120", tenths < 100 {
                exchange.frame(open: "100", close: "100")
                exchange.trade(.v1, price: "120")
                exchange.tasks.advance(by: .milliseconds(100))
                tenths += 1
            }
            #expect(tenths <= 20)
        }
    }

    @Test("the state at the subscription is no sign of life")
    func states() async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.advance(seconds: 50) {
                exchange.frame(open: "100", close: "100")
                exchange.state(price: "110")
            }
            #expect(exchange.selector.use.value.inUse == [.v1])
        }
    }

    @Test("a suspended market is not the busiest one, whatever its turnover was")
    func busiestSuspended() {
        var activity = GenerationActivity(kind: .live)
        func isActive(_ event: MarketEvent) -> Bool {
            activity.note(MarketEventBatch(events: [event], receivedAt: .noon())).isActive
        }
        func trade(_ market: MarketID) -> MarketEvent {
            .trade(Trade(market, price: "100", at: .noon()))
        }
        let entries = [
            ListingEntry("BTC_KRW", price: "100", tradeValue24h: "10"),
            ListingEntry("XRP_KRW", price: "100", tradeValue24h: "5"),
        ]
        let listing = MarketEvent.listing(Listing(at: .noon(), entries))
        #expect(!isActive(listing))
        #expect(isActive(trade("BTC_KRW")) && !isActive(trade("XRP_KRW")))
        var state = entries[0]
        state.isSuspended = true
        #expect(!isActive(.state(state, at: .noon())))
        for event in [listing, trade("BTC_KRW")] { #expect(!isActive(event)) }
        #expect(isActive(trade("XRP_KRW")))
        state.isSuspended = false
        #expect(isActive(.row(state, at: .noon())))
        #expect(!isActive(trade("XRP_KRW")))
    }

    @Test("2.x is left when its tickers alone are gone")
    func endOfTickers() async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.trade(.v2, price: "110")
            exchange.endTickers()
            exchange.advance(seconds: 4) { exchange.frame(open: "100", close: "100") }
            #expect(exchange.selector.use.value.inUse == [.v1])
        }
    }

    @Test(
        "a generation whose stream alone is gone is left, though its REST answers",
        arguments: GenerationHarness.ends
    )
    func endOfStream(end: DataSourceError) async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.trade(.v2, price: "110")
            exchange.endStream(of: .v2, as: end)
            exchange.advance(seconds: 4) { exchange.frame(open: "100", close: "100") }
            #expect(exchange.selector.use.value.inUse == [.v1])
        }
    }

    @Test("1.x that ends with 404, then loses its name, stays left and stops no price")
    func endOfName() async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.trade(.v2, price: "110")
            exchange.frame(open: "100", close: "100")
            exchange.end(.v1)
            exchange.tasks.advance(by: .milliseconds(500))
            exchange.end(.v1, as: GenerationHarness.ends[1])
            exchange.advance(seconds: 4) { exchange.trade(.v2, price: "111") }
            #expect(exchange.selector.use.value.inUse == [.v2])
            // Probed each ten minutes, and left still.
            exchange.advance(seconds: 1_300) { exchange.trade(.v2, price: "112") }
            #expect(exchange.selector.use.value.inUse == [.v2])
            #expect(exchange.board.market("BTC_KRW")?.price == "112")
            #expect(exchange.board.feed.connection == .live)
            #expect(exchange.board.feed.reconnects == 0)
        }
    }

    @Test("a lost network, which knows no name, leaves neither generation")
    func lostNetwork() async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.trade(.v2, price: "110")
            exchange.frame(open: "100", close: "100")
            for generation in APIGeneration.allCases {
                exchange.end(generation, as: GenerationHarness.ends[1])
            }
            exchange.advance(seconds: 30) {}
            #expect(exchange.selector.use.value.inUse == Set(APIGeneration.allCases))
            guard case .reconnecting = exchange.board.feed.connection else {
                Issue.record("\(exchange.board.feed.connection)")
                return
            }
            for generation in APIGeneration.allCases { exchange.restore(generation) }
            exchange.advance(seconds: 30) { exchange.trade(.v2, price: "112") }
            #expect(exchange.board.feed.connection == .live)
            #expect(exchange.board.feed.api == .v2)
            #expect(exchange.board.market("BTC_KRW")?.price == "112")
        }
    }

    @Test("an end that was answered before the other generation flowed is confirmed once it does")
    func lateFlow() async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.endStream(of: .v2)
            exchange.tasks.advance(by: .seconds(1))
            var tenths = 0
            while exchange.selector.use.value.inUse != [.v1], tenths < 100 {
                exchange.frame(open: "100", close: "100")
                exchange.tasks.advance(by: .milliseconds(100))
                tenths += 1
            }
            #expect(tenths <= 13)
        }
    }

    @Test(
        "the end of 1.x changes no price; its silence is noticed after 45 s",
        arguments: GenerationHarness.ends
    )
    func endOfV1(end: DataSourceError) async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.end(.v1, as: end)
            exchange.advance(seconds: 4) { exchange.trade(.v2, price: "110") }
            #expect(exchange.selector.use.value.inUse == [.v2])
            #expect(exchange.selector.use.value.deepBooks == .v2)
            #expect(exchange.board.feed.connection == .live)
            #expect(exchange.board.feed.reconnects == 0)
        }
        let silent = GenerationHarness()
        try await silent.drive {
            silent.trade(.v2, price: "110")
            silent.frame(open: "100", close: "100")
            silent.advance(seconds: 44) { silent.trade(.v2, price: "110") }
            #expect(silent.selector.use.value.inUse == Set(APIGeneration.allCases))
            silent.advance(seconds: 3) { silent.trade(.v2, price: "110") }
            #expect(silent.selector.use.value.inUse == [.v2])
            #expect(silent.board.feed.connection == .live)
        }
    }

    @Test("without either generation it is an outage, and the next that answers is used")
    func outage() async throws {
        let exchange = GenerationHarness()
        try await exchange.drive {
            exchange.end(.v2)
            exchange.advance(seconds: 4) { exchange.frame(open: "100", close: "100") }
            exchange.end(.v1)
            exchange.advance(seconds: 20) {}
            #expect(exchange.selector.use.value.inUse == [.v1])
            guard case .reconnecting = exchange.board.feed.connection else {
                Issue.record("\(exchange.board.feed.connection)")
                return
            }
            exchange.restore(.v2)
            exchange.advance(seconds: 30) { exchange.trade(.v2, price: "110") }
            #expect(exchange.selector.use.value.inUse == [.v2])
            #expect(exchange.board.feed.connection == .live)
        }
    }
}
