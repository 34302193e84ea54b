import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("A feed follows API 2.x by the same rules")
struct LiveMarketFeedGenerationTests {
    private func harness() -> FeedHarness {
        let harness = FeedHarness(api: .v2)
        harness.names.put(
            MarketNamesDTO(
                markets: ["KRW-BTC", "BTC-ETH", "KRW-XRP", "EUR-BTC"].map {
                    MarketNameDTO(market: $0, korean: $0, english: $0, isWarned: nil)
                }
            )
        )
        harness.marketTickers.put(
            MarketTickersDTO(
                tickers: [
                    ticker("KRW-BTC", "100", harness), ticker("BTC-ETH", "0.05", harness),
                    ticker("KRW-XRP", "10", harness),
                ]
            )
        )
        return harness
    }

    private func ticker(
        _ market: String,
        _ price: WireDecimal,
        _ harness: FeedHarness
    ) -> MarketTickerDTO {
        var ticker = MarketTickerDTO(
            market: market,
            tradedAtMilliseconds: harness.now.microseconds / 1_000,
            tradePrice: price
        )
        ticker.accTradePrice24H = "9000"
        ticker.prevClosingPrice = "80"
        return ticker
    }

    @Test("it reads names and tickers, connects, subscribes, reads again, and is live")
    func order() async throws {
        let harness = harness()
        try await harness.drive {
            let listings: [AccessLog.Request] = [
                .marketNames, .tickers(markets: ["KRW-BTC", "KRW-XRP"]),
                .tickers(markets: ["BTC-ETH"]),
            ]
            let symbols = ["BTC_KRW", "XRP_KRW", "ETH_BTC"]
            let subscription = AccessLog.Request.subscription([
                StreamSubscriptionDTO(
                    type: "ticker",
                    symbols: symbols,
                    tickTypes: ChangePeriod.allCases.map(\.rawValue)
                ), StreamSubscriptionDTO(type: "transaction", symbols: symbols),
            ])
            #expect(harness.log.requests == listings + [.connection, subscription] + listings)
            // Nothing is acknowledged.
            #expect(harness.feedEvents == [.subscribed, .live])
            #expect(harness.status.isComplete)
        }
    }

    @Test("frames change price and figures; the day's change is the price less the close before")
    func frames() async throws {
        let harness = harness()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(1))
            var frame = ticker("KRW-BTC", "120", harness)
            frame.accTradePrice24H = "9500"
            harness.streams.streams.last?.send(.marketTicker(frame))
            harness.tasks.settle()
            let market = harness.board.market("BTC_KRW")
            #expect(market?.price == "120")
            #expect(market?.tradeValue24h == "9500")
            let change = market.map {
                harness.board.change(of: $0, over: .midnight, now: harness.now)
            }
            #expect(change?.amount == "40")
            #expect(change?.ratePercent == "50")
            let day = market.map { harness.board.change(of: $0, over: .hours24, now: harness.now) }
            #expect(day?.ratePercent == nil, "a period without a base is unknown")

            harness.tasks.advance(by: .seconds(1))
            harness.streams.streams.last?.send(
                .trade(
                    MarketTradeDTO(
                        market: "KRW-BTC",
                        atMilliseconds: harness.now.microseconds / 1_000,
                        takerBought: false,
                        price: "119",
                        quantity: "1",
                        sequentialID: nil
                    )
                )
            )
            harness.tasks.settle()
            #expect(harness.board.market("BTC_KRW")?.price == "119")
            #expect(harness.board.tape(of: "BTC_KRW").count == 1)
        }
    }

    @Test("a suspended market is not trading, whatever its row over REST says")
    func suspension() async throws {
        let harness = harness()
        try await harness.drive {
            var frame = ticker("KRW-XRP", "10", harness)
            frame.isSuspended = true
            harness.streams.streams.last?.send(.marketTicker(frame))
            harness.tasks.settle()
            #expect(harness.board.market("XRP_KRW")?.isTrading == false)
            harness.feed.reload()
            harness.tasks.settle()
            #expect(harness.board.market("XRP_KRW")?.isTrading == false)
            frame.isSuspended = false
            harness.streams.streams.last?.send(.marketTicker(frame))
            harness.tasks.settle()
            #expect(harness.board.market("XRP_KRW")?.isTrading == true)
        }
    }

    @Test("a market that was suspended before the subscription is not trading")
    func suspendedBefore() async throws {
        let harness = harness()
        try await harness.drive {
            let before = harness.status
            harness.tasks.advance(by: .seconds(1))
            for (market, isSuspended) in [("KRW-XRP", true), ("KRW-BTC", false)] {
                var frame = ticker(market, "10", harness)
                frame.isSuspended = isSuspended
                frame.isSnapshot = true
                harness.streams.streams.last?.send(.marketTicker(frame))
            }
            harness.tasks.settle()
            #expect(harness.board.market("XRP_KRW")?.isTrading == false)
            #expect(harness.board.market("BTC_KRW")?.isTrading == true)
            #expect(harness.status.lastActivityAt == before.lastActivityAt, "no sign of life")
            #expect(harness.status.origin == before.origin)
            #expect(harness.board.tape(of: "BTC_KRW").isEmpty)
        }
    }

    @Test("an error of the stream ends the connection; an answer to a ping does not")
    func statuses() async throws {
        let harness = harness()
        try await harness.drive {
            harness.say("UP", "")
            #expect(harness.connectionTimes.count == 1)
            harness.say("INVALID_PARAM", "Codes")
            harness.tasks.advance(by: .seconds(2))
            #expect(harness.connectionTimes.count == 2)
        }
    }

    @Test("names without a won market are no listing, and are read again")
    func noMarkets() async throws {
        let harness = harness()
        harness.names.put(MarketNamesDTO(markets: []))
        try await harness.drive {
            #expect(harness.status.listingFailure != nil)
            #expect(harness.connectionTimes.isEmpty)
            harness.names.put(
                MarketNamesDTO(
                    markets: [
                        MarketNameDTO(market: "KRW-BTC", korean: "", english: "", isWarned: nil)
                    ]
                )
            )
            harness.tasks.advance(by: .seconds(2))
            #expect(harness.board.markets.map(\.id) == ["BTC_KRW"])
            #expect(harness.connectionTimes.count == 1)
        }
    }

    @Test("a market without a readable name keeps its price; rows without a market are counted")
    func namelessMarket() async throws {
        let harness = harness()
        harness.names.put(
            MarketNamesDTO(
                markets: ["KRW-BTC", "BTC-ETH", "KRW-XRP"].map {
                    MarketNameDTO(market: $0, korean: "", english: "", isWarned: nil)
                },
                skippedCount: 2
            )
        )
        try await harness.drive {
            #expect(harness.board.market("XRP_KRW")?.price == "10")
            let before = harness.board.feed.skipped[.listing]
            harness.feed.reload()
            harness.tasks.settle()
            #expect(harness.board.market("XRP_KRW")?.isTrading == true)
            #expect(harness.board.feed.skipped[.listing] == before + 2)
        }
    }
}
