import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("Names and warnings are read each hour after the listings, and stored")
struct LiveReferenceFeedNamesTests {
    private static let failure = DataSourceError(.unreachable, "no route")

    private func entry(_ symbol: String, _ korean: String) -> CoinNames.Entry {
        CoinNames.Entry(symbol: symbol, korean: korean, english: "")
    }

    private func stored(_ price: FixedDecimal, korean: String) -> InMemoryReferenceArchive.Content {
        .init(
            closes: [
                StoredPrice(market: "BTC_KRW", price: price, at: .noon(-900), tradeValue24h: nil)
            ],
            names: CoinNames(["BTC": entry("BTC", korean)]),
            marks: MarketWarnings(
                warned: ["BTC_KRW"],
                alerts: ["XRP_KRW": [MarketAlert(type: "OLD", step: nil, endsAt: nil)]],
                readAt: .noon(-900)
            )
        )
    }

    @Test("names are read after the first listings, then each hour")
    func schedule() async throws {
        let harness = ReferenceFeedHarness(isListed: false)
        try await harness.drive {
            harness.tasks.advance(by: .seconds(300))
            #expect(harness.log.requests.isEmpty)
            harness.identify(.live)
            #expect(harness.log.requests == [.marketNames, .marketAlerts])
            #expect(harness.reference.names?["BTC"]?.korean == "비트코인")
            #expect(harness.reference.marks?.warned == ["XRP_KRW"])
            #expect(harness.reference.marks?.readAt == harness.now)
            #expect(harness.alerts == ["A"])
            harness.put(alert: "B")
            harness.tasks.advance(by: .seconds(7_250))
            #expect(harness.nameTimes == [.seconds(300), .seconds(3_900), .seconds(7_500)])
            #expect(harness.alerts == ["B"])
        }
    }

    @Test("coins without a name of the exchange keep the built-in name")
    func fallback() async throws {
        let harness = ReferenceFeedHarness()
        try await harness.drive {
            #expect(harness.reference.names?["OLD"]?.korean == "옛")
            #expect(harness.reference.names?.count == 3)
            let kept = harness.archive.content(of: .live)
            #expect(kept.names?.count == 2, "what was brought along is not kept")
            #expect(kept.marks == harness.reference.marks)
        }
    }

    @Test("stored data is delivered before the first request, also without an exchange")
    func storedFirst() async throws {
        let harness = ReferenceFeedHarness(isListed: false)
        harness.archive.put(stored("100", korean: "옛 비트코인"), of: .live)
        try await harness.drive {
            #expect(harness.log.requests.isEmpty)
            #expect(harness.board.market("BTC_KRW")?.price == "100")
            #expect(harness.board.feed.origin == .store)
            #expect(harness.reference.names?["BTC"]?.korean == "옛 비트코인")
            #expect(harness.reference.names?["OLD"]?.korean == "옛")
            #expect(harness.alerts == ["OLD"])
            harness.identify(.live)
            #expect(harness.reference.names?["BTC"]?.korean == "비트코인")
            #expect(harness.alerts == ["A"])
        }
    }

    @Test("a failure is retried with backoff, and known data stays")
    func failures() async throws {
        let harness = ReferenceFeedHarness()
        try await harness.drive {
            harness.markets.failNames(Self.failure)
            let before = harness.events.count
            harness.tasks.advance(by: .seconds(3_604))
            // Half of 0.5, 1, 2 and 4 seconds.
            let hour = Duration.seconds(3_600)
            #expect(
                harness.nameTimes == [
                    .zero, hour, hour + .milliseconds(250), hour + .milliseconds(750),
                    hour + .milliseconds(1_750), hour + .milliseconds(3_750),
                ]
            )
            #expect(harness.events.count == before)
            #expect(harness.reference.names?["BTC"]?.korean == "비트코인")
            harness.log.clear()
            harness.tasks.advance(by: .seconds(600))
            #expect((20...60).contains(harness.nameTimes.count), "a patient pace")
        }
    }

    @Test("if only the warnings fail, names and 유의 are new and 경보 stay")
    func alertsFail() async throws {
        let harness = ReferenceFeedHarness()
        try await harness.drive {
            harness.markets.failAlerts(Self.failure)
            harness.markets.put(
                MarketNamesDTO(markets: [
                    MarketNameDTO(market: "KRW-BTC", korean: "새", english: "", isWarned: true)
                ])
            )
            harness.tasks.advance(by: .seconds(3_600))
            #expect(harness.reference.names?["BTC"]?.korean == "새")
            #expect(harness.reference.marks?.warned == ["BTC_KRW"])
            #expect(harness.alerts == ["A"])
            #expect(harness.archive.content(of: .live).marks?.warned == ["XRP_KRW"])
            harness.put(alert: "B")
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.alerts == ["B"])
            #expect(harness.archive.content(of: .live).marks?.warned == ["BTC_KRW"])
        }
    }

    @Test("a response without a market replaces nothing and is requested again")
    func empty() async throws {
        let harness = ReferenceFeedHarness()
        try await harness.drive {
            harness.markets.put(MarketNamesDTO(markets: [], skippedCount: 7))
            harness.tasks.advance(by: .seconds(3_601))
            #expect(harness.reference.names?["BTC"]?.korean == "비트코인")
            #expect(harness.nameTimes.count > 2)
        }
    }

    @Test("unreadable rows and rows of other currencies are counted")
    func skipped() async throws {
        let harness = ReferenceFeedHarness()
        harness.markets.put(
            MarketNamesDTO(
                markets: [
                    MarketNameDTO(market: "KRW-BTC", korean: "가", english: "", isWarned: nil),
                    MarketNameDTO(market: "USDT-BTC", korean: "나", english: "", isWarned: true),
                ],
                skippedCount: 2
            )
        )
        try await harness.drive {
            #expect(harness.board.feed.entriesSkipped == 3)
            #expect(harness.reference.marks?.warned == [])
        }
    }

    @Test("a reload reads at once, but not during a pause of the exchange")
    func reload() async throws {
        let harness = ReferenceFeedHarness()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(5))
            harness.feed.reload()
            harness.tasks.settle()
            #expect(harness.nameTimes == [.zero, .seconds(5)])
            let pause = DataSourceError(.rateLimited(retryAfter: .seconds(60)), "slow down")
            harness.markets.failNames(pause)
            harness.feed.reload()
            harness.feed.reload()
            harness.tasks.advance(by: .seconds(10))
            harness.feed.reload()
            harness.tasks.advance(by: .seconds(40))
            #expect(harness.nameTimes == [.zero, .seconds(5), .seconds(5)])
            harness.tasks.advance(by: .seconds(10))
            #expect(harness.nameTimes.last == .seconds(65))
        }
    }

    @Test("another kind of source has its own names and stored prices")
    func otherKind() async throws {
        let harness = ReferenceFeedHarness(isListed: false)
        harness.archive.put(stored("100", korean: "진짜"), of: .live)
        harness.archive.put(stored("7", korean: "모의"), of: .simulated)
        try await harness.drive {
            #expect(harness.reference.names?["BTC"]?.korean == "진짜")
            harness.markets.failNames(Self.failure)
            harness.identify(.simulated)
            #expect(harness.board.market("BTC_KRW")?.price == "7")
            #expect(harness.reference.names?["BTC"]?.korean == "모의")
            harness.markets.put(
                MarketNamesDTO(markets: [
                    MarketNameDTO(market: "KRW-BTC", korean: "새", english: "", isWarned: false)
                ])
            )
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.archive.content(of: .simulated).names?["BTC"]?.korean == "새")
            #expect(harness.archive.content(of: .live).names?["BTC"]?.korean == "진짜")
        }
    }

    @Test("nothing is stored or read for a recording", arguments: [false, true])
    func replay(isLearned: Bool) async throws {
        let harness = ReferenceFeedHarness(kind: isLearned ? .live : .replay, isListed: false)
        harness.archive.put(stored("100", korean: "진짜"), of: .live)
        let lease = harness.interests.enter()
        harness.assets.fail(Self.failure)
        try await harness.drive {
            harness.identify(.replay)
            harness.log.clear()
            harness.feed.reload()
            harness.tasks.advance(by: .seconds(7_200))
            #expect(harness.log.requests.isEmpty)
            #expect(harness.board.markets.isEmpty)
            #expect(harness.reference.names == nil && harness.reference.marks == nil)
            #expect(harness.reference.assets == AssetStates())
        }
        lease?.release()
    }
}
