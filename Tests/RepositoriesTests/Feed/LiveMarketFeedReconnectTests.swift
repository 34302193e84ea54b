import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import Testing

@testable import Repositories

@Suite("A lost connection is retried with backoff, then everything is read again", .tags(.threads))
struct LiveMarketFeedReconnectTests {
    private static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6, 7, 8]

    private static func harness(seed: UInt64) -> FeedHarness {
        let generator = Mutex(SeededGenerator(seed: seed))
        let box = RandomBox(generator)
        return FeedHarness(random: { box.next() })
    }

    @Test(
        "the feed makes at most 18 attempts in 60 s, then reads everything again",
        arguments: seeds
    )
    func outage(seed: UInt64) async throws {
        let harness = Self.harness(seed: seed)
        try await harness.drive {
            harness.tasks.advance(by: .seconds(3))
            harness.log.clear()
            harness.setReachable(false)
            harness.hangUp()
            harness.tasks.advance(by: .seconds(60))
            #expect(harness.connectionTimes.count <= 18)
            #expect(harness.connectionTimes.count >= 9, "nor does it give up")
            #expect(harness.listingTimes.count <= 18)
            #expect(harness.log.times { $0 == .listing(quote: "BTC") }.isEmpty)
            #expect(!harness.status.isComplete)
            harness.setReachable(true)
            harness.log.clear()
            while harness.connectionTimes.isEmpty, harness.tasks.clock.now.offset < .seconds(120) {
                harness.tasks.advance(by: .milliseconds(100))
            }
            // Read as soon as the stream is back, regardless of the backoff of listings.
            #expect(harness.status.connection == .live)
            #expect(harness.status.isComplete)
            #expect(harness.status.reconnects == 1)
            #expect(
                harness.subscriptions.map { $0.map(\.symbols.count) } == [[3, 3]],
                "the full list"
            )
            #expect(harness.listingTimes.last == harness.connectionTimes.first)
            #expect(harness.tasks.clock.now.offset <= .seconds(3 + 60 + 30))
        }
    }

    @Test("the feed makes at most 18 attempts in 60 s with the shortest waits")
    func shortestWaits() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(3))
            harness.log.clear()
            harness.setReachable(false)
            harness.hangUp()
            harness.tasks.advance(by: .seconds(60))
            #expect(harness.connectionTimes.count == 18)
        }
    }

    @Test("waits double while connections break early, and start over after a stable connection")
    func flapping() async throws {
        let harness = FeedHarness()
        try await harness.drive {
            for wait in [250, 500, 1_000, 2_000, 4_000, 4_000] {
                let lostAt = harness.tasks.clock.now.offset
                harness.hangUp()
                harness.tasks.advance(by: .seconds(5))
                #expect(harness.connectionTimes.last == lostAt + .milliseconds(wait))
                harness.trade()
            }
            for _ in 0..<4 {
                harness.tasks.advance(by: .seconds(4))
                harness.trade()
            }
            let lostAt = harness.tasks.clock.now.offset
            harness.hangUp()
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.connectionTimes.last == lostAt + .milliseconds(250))
        }
    }

    @Test("the feed waits longer for a server that is slow to refuse")
    func slowRefusals() async throws {
        let harness = FeedHarness()
        harness.streams.delay(by: .seconds(20))
        harness.streams.refuse(with: DataSourceError(.timedOut, "no handshake"))
        try await harness.drive {
            harness.tasks.advance(by: .seconds(300))
            let gaps = zip(harness.connectionTimes, harness.connectionTimes.dropFirst()).map {
                $1 - $0
            }
            let waits = gaps.map { $0 - .seconds(20) }
            #expect(
                waits.prefix(6) == [
                    .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(15), .seconds(15),
                    .seconds(15),
                ]
            )
        }
    }

    @Test("the feed retries at once on request after the loss is reported")
    func reload() async throws {
        let harness = FeedHarness()
        harness.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await harness.drive {
            harness.tasks.advance(by: .seconds(30))
            let count = harness.connectionTimes.count
            harness.log.clear()
            harness.feed.reload()
            harness.tasks.settle()
            #expect(harness.connectionTimes == [.seconds(30)])
            #expect(harness.listingTimes == [.seconds(30)])
            harness.streams.refuse(with: nil)
            harness.feed.reload()
            harness.tasks.settle()
            #expect(harness.status.connection == .live)
            #expect(count > 4)
        }
    }

    @Test("the feed handles a request that arrives while the loss is being reported")
    func promptReload() async throws {
        let harness = FeedHarness()
        let feed = harness.feed
        harness.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        let deliver: @Sendable (MarketEventBatch) async -> FeedStatus = { batch in
            if case .feed(.reconnecting(attempt: 1, _, _)) = batch.events.first { feed.reload() }
            return FeedStatus(kind: .live)
        }
        try await harness.tasks.running({ await feed.run(deliver: deliver) }) {
            #expect(harness.connectionTimes == [.zero, .zero])
        }
    }

    @Test("the feed keeps a pause that the exchange asked for, despite reloads")
    func rateLimitedStream() async throws {
        let harness = FeedHarness()
        let pause = DataSourceError(.rateLimited(retryAfter: .seconds(7)), "stream")
        harness.streams.refuse(with: pause)
        try await harness.drive {
            harness.tasks.advance(by: .seconds(1))
            harness.feed.reload()
            harness.tasks.advance(by: .seconds(6) - .microseconds(1))
            #expect(harness.connectionTimes == [.zero])
            harness.tasks.advance(by: .microseconds(1))
            #expect(harness.connectionTimes == [.zero, .seconds(7)])
        }
    }

    @Test(
        "the feed reports the reason, the next attempt and its time",
        arguments: [
            (.unreachable, .unreachable), (.untrusted, .untrusted), (.timedOut, .timedOut),
            (.disconnected, .disconnected), (.httpStatus(403), .httpStatus),
            (.malformed, .malformed), (.proxy, .proxy),
        ] as [(DataSourceError.Code, FeedFailure.Code)]
    )
    func failures(source: DataSourceError.Code, code: FeedFailure.Code) async throws {
        let harness = FeedHarness()
        harness.streams.refuse(with: DataSourceError(source, "where"))
        try await harness.drive {
            #expect(harness.status.streamFailure?.code == code)
            let first = Timestamp.noon(plus: .milliseconds(250))
            #expect(harness.status.connection == .reconnecting(attempt: 1, nextRetryAt: first))
            harness.tasks.advance(by: .milliseconds(250))
            let second = Timestamp.noon(plus: .milliseconds(750))
            #expect(harness.status.connection == .reconnecting(attempt: 2, nextRetryAt: second))
            #expect(harness.status.reconnects == 0, "nothing was lost yet")
        }
    }

    @Test("the feed reads a recording's last listing, reports the end and requests nothing more")
    func ended() async throws {
        let harness = FeedHarness(kind: .replay)
        try await harness.drive {
            harness.tasks.advance(by: .seconds(3))
            harness.log.clear()
            harness.list([TickerDTO("BTC", price: "200")])
            harness.hangUp(.ended)
            #expect(
                harness.log.requests.filter { $0 != .close } == [
                    .listing(quote: "KRW"), .listing(quote: "BTC"),
                ]
            )
            #expect(harness.status.connection == .ended)
            #expect(harness.feedEvents.last == .ended)
            guard case .feed(.ended)? = harness.events.last?.event else {
                Issue.record("something came after the end")
                return
            }
            #expect(harness.board.market("BTC_KRW")?.price == "200")
            harness.log.clear()
            harness.feed.reload()
            harness.tasks.advance(by: .seconds(3_600))
            #expect(harness.log.requests.isEmpty)
            #expect(harness.status.connection == .ended)
        }
    }

    @Test("the feed reports the end of a recording although its last listing is unreadable")
    func endedWithoutListing() async throws {
        let harness = FeedHarness(kind: .replay)
        try await harness.drive {
            harness.tasks.advance(by: .seconds(3))
            harness.setReachable(false)
            harness.hangUp(.ended)
            #expect(harness.status.connection == .ended)
            #expect(harness.feedEvents.last == .ended)
            #expect(harness.status.listingFailure?.code == .unreachable)
        }
    }

    private final class RandomBox: Sendable {
        private let generator: Mutex<SeededGenerator>
        init(_ generator: consuming Mutex<SeededGenerator>) { self.generator = generator }
        func next() -> UInt64 { generator.withLock { $0.next() } }
    }
}
