import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("Silence of the busiest market makes a feed stale")
struct LiveMarketFeedSilenceTests {
    private static let moment: Duration = .microseconds(1)

    @Test("makes the feed stale after five seconds and closes the connection after ten")
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

    @Test("ignores other markets")
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

    @Test("is reported once for each silence")
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

    @Test("never closes the connection of a recording")
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

    @Test("is measured from the subscription")
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

    @Test("does not make a feed live before its listing")
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
