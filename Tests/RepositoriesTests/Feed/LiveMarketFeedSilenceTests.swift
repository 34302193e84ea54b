import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("Silence of the busiest market makes a feed stale")
struct LiveMarketFeedSilenceTests {
    private static let moment: Duration = .microseconds(1)

    @Test("silence makes the feed stale after five seconds and closes the connection after ten")
    func silence() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(5) - Self.moment)
            #expect(harness.status.connection == .live)
            harness.tasks.advance(by: Self.moment)
            #expect(harness.status.connection == .stale)
            harness.tasks.advance(by: .seconds(5) - Self.moment)
            #expect(harness.status.connection == .stale)
            harness.tasks.advance(by: Self.moment)
            let retry = Timestamp.noon(plus: .milliseconds(10_250))
            #expect(harness.status.connection == .reconnecting(attempt: 1, nextRetryAt: retry))
            #expect(harness.status.streamFailure?.code == .silent)
            #expect(harness.status.streamFailure?.isRetryable == true)
            #expect(harness.streams.streams.map(\.isClosed) == [true])
            harness.tasks.advance(by: .milliseconds(250))
            #expect(harness.status.connection == .live)
            #expect(harness.status.reconnects == 1)
        }
    }

    @Test("silence is measured by the busiest market alone")
    func otherMarkets() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            for _ in 0..<9 {
                harness.tasks.advance(by: .seconds(1))
                harness.trade("XRP_KRW", price: "10")
            }
            #expect(harness.status.connection == .stale)
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.status.streamFailure?.code == .silent)
        }
    }

    @Test(
        "silence is measured from the last frame, be it the first of the connection",
        arguments: [1, 4, 6, 9]
    )
    func lastFrame(second: Int) async throws {
        let harness = FeedHarness()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(second))
            #expect(harness.status.connection == (second < 5 ? .live : .stale))
            harness.trade()
            #expect(harness.status.connection == .live)
            harness.tasks.advance(by: .seconds(5) - Self.moment)
            #expect(harness.status.connection == .live)
            harness.tasks.advance(by: Self.moment)
            #expect(harness.status.connection == .stale)
            harness.tasks.advance(by: .seconds(5) - Self.moment)
            #expect(harness.status.connection == .stale)
            harness.tasks.advance(by: Self.moment)
            #expect(harness.status.streamFailure?.code == .silent)
        }
    }

    @Test("after a sleep of the machine, data on the old connection tell a loss of trades")
    func sleep() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(1))
            harness.trade()
            let (before, readings) = (harness.now, harness.listingTimes.count)
            let asleep = Duration.seconds(8)
            // The data are there before a timer of the time in between is noticed.
            let after = before.advanced(by: asleep)
            harness.streams.streams.last?.send(
                .transactions([
                    TransactionDTO("BTC_KRW", price: "100", atMicroseconds: after.microseconds)
                ])
            )
            harness.tasks.clock.advance(by: asleep)
            harness.tasks.settle()
            #expect(harness.feedEvents.filter { $0 == .stale }.count == 1)
            #expect(harness.status.connection == .live)
            #expect(harness.connectionTimes.count == 1)
            #expect(harness.board.tape(of: "BTC_KRW").gaps == [before..<after])
            #expect(harness.listingTimes.count == readings + 1)
        }
    }

    @Test("silence is reported once for each silence")
    func toldOnce() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            for _ in 0..<4 {
                harness.tasks.advance(by: .seconds(7))
                harness.trade()
            }
            #expect(harness.feedEvents.filter { $0 == .stale }.count == 4)
            #expect(harness.connectionTimes.count == 1)
        }
    }

    @Test("silence never closes the connection of a recording")
    func replay() async throws {
        let harness = FeedHarness(kind: .replay)
        try await harness.drive {
            harness.tasks.advance(by: .seconds(3_600))
            #expect(harness.status.connection == .stale)
            #expect(harness.feedEvents.filter { $0 == .stale }.count == 1)
            harness.trade()
            #expect(harness.status.connection == .live)
            harness.tasks.advance(by: .seconds(5))
            #expect(harness.status.connection == .stale)
            #expect(harness.connectionTimes.count == 1)
        }
    }

    @Test("silence is measured from the subscription")
    func afterReconnect() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(4))
            harness.hangUp()
            harness.tasks.advance(by: .milliseconds(250))
            #expect(harness.status.connection == .live)
            harness.tasks.advance(by: .seconds(5) - Self.moment)
            #expect(harness.status.connection == .live)
            harness.tasks.advance(by: Self.moment)
            #expect(harness.status.connection == .stale)
        }
    }

    @Test("silence does not make a feed live before its listing")
    func beforeListing() async throws {
        let harness = FeedHarness()
        harness.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await harness.drive {
            harness.streams.refuse(with: nil)
            harness.tickers.hold()
            harness.tasks.advance(by: .milliseconds(250))
            harness.tasks.advance(by: .seconds(6))
            #expect(harness.status.connection == .subscribed)
            harness.trade()
            #expect(harness.status.connection == .subscribed)
            harness.tickers.letGo()
            harness.tasks.settle()
            #expect(harness.status.connection == .live)
        }
    }
}
