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
        let bench = ReferenceFeedHarness(isListed: false)
        try await bench.drive {
            bench.tasks.advance(by: .seconds(300))
            #expect(bench.log.requests.isEmpty)
            bench.identify(.live)
            #expect(bench.log.requests == [.marketNames, .marketAlerts])
            #expect(bench.reference.names?["BTC"]?.korean == "비트코인")
            #expect(bench.reference.marks?.warned == ["XRP_KRW"])
            #expect(bench.reference.marks?.readAt == bench.now)
            #expect(bench.alerts == ["A"])
            bench.put(alert: "B")
            bench.tasks.advance(by: .seconds(7_250))
            #expect(bench.nameTimes == [.seconds(300), .seconds(3_900), .seconds(7_500)])
            #expect(bench.alerts == ["B"])
        }
    }

    @Test("coins without a name of the exchange keep the built-in name")
    func fallback() async throws {
        let bench = ReferenceFeedHarness()
        try await bench.drive {
            #expect(bench.reference.names?["OLD"]?.korean == "옛")
            #expect(bench.reference.names?.count == 3)
            let kept = bench.archive.content(of: .live)
            #expect(kept.names?.count == 2, "what was brought along is not kept")
            #expect(kept.marks == bench.reference.marks)
        }
    }

    @Test("stored data is delivered before the first request, also without an exchange")
    func storedFirst() async throws {
        let bench = ReferenceFeedHarness(isListed: false)
        bench.archive.put(stored("100", korean: "옛 비트코인"), of: .live)
        try await bench.drive {
            #expect(bench.log.requests.isEmpty)
            #expect(bench.board.market("BTC_KRW")?.price == "100")
            #expect(bench.board.feed.origin == .store)
            #expect(bench.reference.names?["BTC"]?.korean == "옛 비트코인")
            #expect(bench.reference.names?["OLD"]?.korean == "옛")
            #expect(bench.alerts == ["OLD"])
            bench.identify(.live)
            #expect(bench.reference.names?["BTC"]?.korean == "비트코인")
            #expect(bench.alerts == ["A"])
        }
    }

    @Test("a failure is retried with backoff, and known data stays")
    func failures() async throws {
        let bench = ReferenceFeedHarness()
        try await bench.drive {
            bench.markets.failNames(Self.failure)
            let before = bench.events.count
            bench.tasks.advance(by: .seconds(3_604))
            // Half of 0.5, 1, 2 and 4 seconds.
            let hour = Duration.seconds(3_600)
            #expect(
                bench.nameTimes == [
                    .zero, hour, hour + .milliseconds(250), hour + .milliseconds(750),
                    hour + .milliseconds(1_750), hour + .milliseconds(3_750),
                ]
            )
            #expect(bench.events.count == before)
            #expect(bench.reference.names?["BTC"]?.korean == "비트코인")
            bench.log.clear()
            bench.tasks.advance(by: .seconds(600))
            #expect((20...60).contains(bench.nameTimes.count), "a patient pace")
        }
    }

    @Test("if only the warnings fail, names and 유의 are new and 경보 stay")
    func alertsFail() async throws {
        let bench = ReferenceFeedHarness()
        try await bench.drive {
            bench.markets.failAlerts(Self.failure)
            bench.markets.put(
                MarketNamesDTO(markets: [
                    MarketNameDTO(market: "KRW-BTC", korean: "새", english: "", isWarned: true)
                ])
            )
            bench.tasks.advance(by: .seconds(3_600))
            #expect(bench.reference.names?["BTC"]?.korean == "새")
            #expect(bench.reference.marks?.warned == ["BTC_KRW"])
            #expect(bench.alerts == ["A"])
            #expect(bench.archive.content(of: .live).marks?.warned == ["XRP_KRW"])
            bench.put(alert: "B")
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.alerts == ["B"])
            #expect(bench.archive.content(of: .live).marks?.warned == ["BTC_KRW"])
        }
    }

    @Test("a response without a market replaces nothing and is requested again")
    func empty() async throws {
        let bench = ReferenceFeedHarness()
        try await bench.drive {
            bench.markets.put(MarketNamesDTO(markets: [], skippedCount: 7))
            bench.tasks.advance(by: .seconds(3_601))
            #expect(bench.reference.names?["BTC"]?.korean == "비트코인")
            #expect(bench.nameTimes.count > 2)
        }
    }

    @Test("unreadable rows and rows of other currencies are counted")
    func skipped() async throws {
        let bench = ReferenceFeedHarness()
        bench.markets.put(
            MarketNamesDTO(
                markets: [
                    MarketNameDTO(market: "KRW-BTC", korean: "가", english: "", isWarned: nil),
                    MarketNameDTO(market: "USDT-BTC", korean: "나", english: "", isWarned: true),
                ],
                skippedCount: 2
            )
        )
        try await bench.drive {
            #expect(bench.board.feed.entriesSkipped == 3)
            #expect(bench.reference.marks?.warned == [])
        }
    }

    @Test("a reload reads at once, but not during a pause of the exchange")
    func reload() async throws {
        let bench = ReferenceFeedHarness()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(5))
            bench.feed.reload()
            bench.tasks.settle()
            #expect(bench.nameTimes == [.zero, .seconds(5)])
            let pause = DataSourceError(.rateLimited(retryAfter: .seconds(60)), "slow down")
            bench.markets.failNames(pause)
            bench.feed.reload()
            bench.feed.reload()
            bench.tasks.advance(by: .seconds(10))
            bench.feed.reload()
            bench.tasks.advance(by: .seconds(40))
            #expect(bench.nameTimes == [.zero, .seconds(5), .seconds(5)])
            bench.tasks.advance(by: .seconds(10))
            #expect(bench.nameTimes.last == .seconds(65))
        }
    }

    @Test("another kind of source has its own names and stored prices")
    func otherKind() async throws {
        let bench = ReferenceFeedHarness(isListed: false)
        bench.archive.put(stored("100", korean: "진짜"), of: .live)
        bench.archive.put(stored("7", korean: "모의"), of: .simulated)
        try await bench.drive {
            #expect(bench.reference.names?["BTC"]?.korean == "진짜")
            bench.markets.failNames(Self.failure)
            bench.identify(.simulated)
            #expect(bench.board.market("BTC_KRW")?.price == "7")
            #expect(bench.reference.names?["BTC"]?.korean == "모의")
            bench.markets.put(
                MarketNamesDTO(markets: [
                    MarketNameDTO(market: "KRW-BTC", korean: "새", english: "", isWarned: false)
                ])
            )
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.archive.content(of: .simulated).names?["BTC"]?.korean == "새")
            #expect(bench.archive.content(of: .live).names?["BTC"]?.korean == "진짜")
        }
    }

    @Test("nothing is stored or read for a recording", arguments: [false, true])
    func replay(isLearnt: Bool) async throws {
        let bench = ReferenceFeedHarness(kind: isLearnt ? .live : .replay, isListed: false)
        bench.archive.put(stored("100", korean: "진짜"), of: .live)
        let lease = bench.interests.enter()
        bench.assets.fail(Self.failure)
        try await bench.drive {
            bench.identify(.replay)
            bench.log.clear()
            bench.feed.reload()
            bench.tasks.advance(by: .seconds(7_200))
            #expect(bench.log.requests.isEmpty)
            #expect(bench.board.markets.isEmpty)
            #expect(bench.reference.names == nil && bench.reference.marks == nil)
            #expect(bench.reference.assets == AssetStates())
        }
        lease?.release()
    }
}
