import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("Silence of the busiest market is trouble")
struct LiveMarketFeedSilenceTests {
    private static let moment: Duration = .microseconds(1)

    @Test("makes the feed stale after five seconds and gives the connection up after ten")
    func silence() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(5) - Self.moment)
            #expect(bench.status.connection == .live)
            bench.tasks.advance(by: Self.moment)
            #expect(bench.status.connection == .stale)
            bench.tasks.advance(by: .seconds(5) - Self.moment)
            #expect(bench.status.connection == .stale)
            bench.tasks.advance(by: Self.moment)
            let retry = Timestamp.noon(plus: .milliseconds(10_250))
            #expect(bench.status.connection == .reconnecting(attempt: 1, nextRetryAt: retry))
            #expect(bench.status.streamFailure?.code == .silent)
            #expect(bench.status.streamFailure?.isRetryable == true)
            #expect(bench.streams.streams.map(\.isClosed) == [true])
            bench.tasks.advance(by: .milliseconds(250))
            #expect(bench.status.connection == .live)
            #expect(bench.status.reconnects == 1)
        }
    }

    @Test("does not hear the other markets")
    func otherMarkets() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            for _ in 0..<9 {
                bench.tasks.advance(by: .seconds(1))
                bench.trade("XRP_KRW", price: "10")
            }
            #expect(bench.status.connection == .stale)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.status.streamFailure?.code == .silent)
        }
    }

    @Test(
        "is measured from the last frame, be it the first of the connection",
        arguments: [1, 4, 6, 9]
    )
    func lastFrame(second: Int) async throws {
        let bench = FeedHarness()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(second))
            #expect(bench.status.connection == (second < 5 ? .live : .stale))
            bench.trade()
            #expect(bench.status.connection == .live)
            bench.tasks.advance(by: .seconds(5) - Self.moment)
            #expect(bench.status.connection == .live)
            bench.tasks.advance(by: Self.moment)
            #expect(bench.status.connection == .stale)
            bench.tasks.advance(by: .seconds(5) - Self.moment)
            #expect(bench.status.connection == .stale)
            bench.tasks.advance(by: Self.moment)
            #expect(bench.status.streamFailure?.code == .silent)
        }
    }

    @Test("is told each time it begins, once")
    func toldOnce() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            for _ in 0..<4 {
                bench.tasks.advance(by: .seconds(7))
                bench.trade()
            }
            #expect(bench.feedEvents.filter { $0 == .stale }.count == 4)
            #expect(bench.connectionTimes.count == 1)
        }
    }

    @Test("never ends the connection to a recording")
    func replay() async throws {
        let bench = FeedHarness(kind: .replay)
        try await bench.drive {
            bench.tasks.advance(by: .seconds(3_600))
            #expect(bench.status.connection == .stale)
            #expect(bench.feedEvents.filter { $0 == .stale }.count == 1)
            bench.trade()
            #expect(bench.status.connection == .live)
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.status.connection == .stale)
            #expect(bench.connectionTimes.count == 1)
        }
    }

    @Test("begins with the subscription, not with the silence before it")
    func afterReconnect() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(4))
            bench.hangUp()
            bench.tasks.advance(by: .milliseconds(250))
            #expect(bench.status.connection == .live)
            bench.tasks.advance(by: .seconds(5) - Self.moment)
            #expect(bench.status.connection == .live)
            bench.tasks.advance(by: Self.moment)
            #expect(bench.status.connection == .stale)
        }
    }

    @Test("does not make a feed live whose listing is still awaited")
    func beforeListing() async throws {
        let bench = FeedHarness()
        bench.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await bench.drive {
            bench.streams.refuse(with: nil)
            bench.tickers.hold()
            bench.tasks.advance(by: .milliseconds(250))
            bench.tasks.advance(by: .seconds(6))
            #expect(bench.status.connection == .subscribed)
            bench.trade()
            #expect(bench.status.connection == .subscribed)
            bench.tickers.letGo()
            bench.tasks.settle()
            #expect(bench.status.connection == .live)
        }
    }
}
