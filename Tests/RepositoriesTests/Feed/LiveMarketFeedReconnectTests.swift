import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import Testing

@testable import Repositories

@Suite("A lost connection is retried with backoff, then everything is read again", .tags(.threads))
struct LiveMarketFeedReconnectTests {
    private static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6, 7, 8]

    private static func bench(seed: UInt64) -> FeedHarness {
        let generator = Mutex(SeededGenerator(seed: seed))
        let box = RandomBox(generator)
        return FeedHarness(random: { box.next() })
    }

    @Test("makes at most 18 attempts in 60 s, then reads everything again", arguments: seeds)
    func outage(seed: UInt64) async throws {
        let bench = Self.bench(seed: seed)
        try await bench.drive {
            bench.tasks.advance(by: .seconds(3))
            bench.log.clear()
            bench.setReachable(false)
            bench.hangUp()
            bench.tasks.advance(by: .seconds(60))
            #expect(bench.connectionTimes.count <= 18)
            #expect(bench.connectionTimes.count >= 9, "nor does it give up")
            #expect(bench.listingTimes.count <= 18)
            #expect(bench.log.times { $0 == .listing(quote: "BTC") }.isEmpty)
            #expect(!bench.status.isComplete)
            bench.setReachable(true)
            bench.log.clear()
            while bench.connectionTimes.isEmpty, bench.tasks.clock.now.offset < .seconds(120) {
                bench.tasks.advance(by: .milliseconds(100))
            }
            // Asked for as soon as the stream is back, whatever the listings' own patience says.
            #expect(bench.status.connection == .live)
            #expect(bench.status.isComplete)
            #expect(bench.status.reconnects == 1)
            #expect(
                bench.subscriptions.map { $0.map(\.symbols.count) } == [[3, 3]],
                "the full list"
            )
            #expect(bench.listingTimes.last == bench.connectionTimes.first)
            #expect(bench.tasks.clock.now.offset <= .seconds(3 + 60 + 30))
        }
    }

    @Test("makes at most 18 attempts in 60 s with the shortest waits")
    func shortestWaits() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(3))
            bench.log.clear()
            bench.setReachable(false)
            bench.hangUp()
            bench.tasks.advance(by: .seconds(60))
            #expect(bench.connectionTimes.count == 18)
        }
    }

    @Test("doubles its waits while connections break early, and starts over after a stable one")
    func flapping() async throws {
        let bench = FeedHarness()
        try await bench.drive {
            for wait in [250, 500, 1_000, 2_000, 4_000, 4_000] {
                let lostAt = bench.tasks.clock.now.offset
                bench.hangUp()
                bench.tasks.advance(by: .seconds(5))
                #expect(bench.connectionTimes.last == lostAt + .milliseconds(wait))
                bench.trade()
            }
            for _ in 0..<4 {
                bench.tasks.advance(by: .seconds(4))
                bench.trade()
            }
            let lostAt = bench.tasks.clock.now.offset
            bench.hangUp()
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.connectionTimes.last == lostAt + .milliseconds(250))
        }
    }

    @Test("waits longer for a server that is slow to refuse")
    func slowRefusals() async throws {
        let bench = FeedHarness()
        bench.streams.delay(by: .seconds(20))
        bench.streams.refuse(with: DataSourceError(.timedOut, "no handshake"))
        try await bench.drive {
            bench.tasks.advance(by: .seconds(300))
            let gaps = zip(bench.connectionTimes, bench.connectionTimes.dropFirst()).map { $1 - $0 }
            let waits = gaps.map { $0 - .seconds(20) }
            #expect(
                waits.prefix(6) == [
                    .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(15), .seconds(15),
                    .seconds(15),
                ]
            )
        }
    }

    @Test("retries at once on request after the loss is reported")
    func reload() async throws {
        let bench = FeedHarness()
        bench.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await bench.drive {
            bench.tasks.advance(by: .seconds(30))
            let count = bench.connectionTimes.count
            bench.log.clear()
            bench.feed.reload()
            bench.tasks.settle()
            #expect(bench.connectionTimes == [.seconds(30)])
            #expect(bench.listingTimes == [.seconds(30)])
            bench.streams.refuse(with: nil)
            bench.feed.reload()
            bench.tasks.settle()
            #expect(bench.status.connection == .live)
            #expect(count > 4)
        }
    }

    @Test("handles a request that arrives while the loss is being reported")
    func promptReload() async throws {
        let bench = FeedHarness()
        let feed = bench.feed
        bench.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        let deliver: @Sendable (MarketEventBatch) async -> FeedStatus = { batch in
            if case .feed(.reconnecting(attempt: 1, _, _)) = batch.events.first { feed.reload() }
            return FeedStatus(kind: .live)
        }
        try await bench.tasks.running({ await feed.run(deliver: deliver) }) {
            #expect(bench.connectionTimes == [.zero, .zero])
        }
    }

    @Test("keeps a pause that the exchange asked for, despite reloads")
    func rateLimitedStream() async throws {
        let bench = FeedHarness()
        let pause = DataSourceError(.rateLimited(retryAfter: .seconds(7)), "stream")
        bench.streams.refuse(with: pause)
        try await bench.drive {
            bench.tasks.advance(by: .seconds(1))
            bench.feed.reload()
            bench.tasks.advance(by: .seconds(6) - .microseconds(1))
            #expect(bench.connectionTimes == [.zero])
            bench.tasks.advance(by: .microseconds(1))
            #expect(bench.connectionTimes == [.zero, .seconds(7)])
        }
    }

    @Test(
        "says why, which attempt is next and when",
        arguments: [
            (.unreachable, .unreachable), (.untrusted, .untrusted), (.timedOut, .timedOut),
            (.disconnected, .disconnected), (.httpStatus(403), .httpStatus),
            (.malformed, .malformed), (.proxy, .proxy),
        ] as [(DataSourceError.Code, FeedFailure.Code)]
    )
    func failures(source: DataSourceError.Code, code: FeedFailure.Code) async throws {
        let bench = FeedHarness()
        bench.streams.refuse(with: DataSourceError(source, "where"))
        try await bench.drive {
            #expect(bench.status.streamFailure?.code == code)
            let first = Timestamp.noon(plus: .milliseconds(250))
            #expect(bench.status.connection == .reconnecting(attempt: 1, nextRetryAt: first))
            bench.tasks.advance(by: .milliseconds(250))
            let second = Timestamp.noon(plus: .milliseconds(750))
            #expect(bench.status.connection == .reconnecting(attempt: 2, nextRetryAt: second))
            #expect(bench.status.reconnects == 0, "nothing was lost yet")
        }
    }

    @Test("reads the last listing of a recording, reports the end, and requests nothing more")
    func ended() async throws {
        let bench = FeedHarness(kind: .replay)
        try await bench.drive {
            bench.tasks.advance(by: .seconds(3))
            bench.log.clear()
            bench.list([TickerDTO("BTC", price: "200")])
            bench.hangUp(.ended)
            #expect(
                bench.log.requests.filter { $0 != .close } == [
                    .listing(quote: "KRW"), .listing(quote: "BTC"),
                ]
            )
            #expect(bench.status.connection == .ended)
            #expect(bench.feedEvents.last == .ended)
            guard case .feed(.ended)? = bench.events.last?.event else {
                Issue.record("something came after the end")
                return
            }
            #expect(bench.board.market("BTC_KRW")?.price == "200")
            bench.log.clear()
            bench.feed.reload()
            bench.tasks.advance(by: .seconds(3_600))
            #expect(bench.log.requests.isEmpty)
            #expect(bench.status.connection == .ended)
        }
    }

    @Test("reports the end of a recording although its last listing is unreadable")
    func endedWithoutListing() async throws {
        let bench = FeedHarness(kind: .replay)
        try await bench.drive {
            bench.tasks.advance(by: .seconds(3))
            bench.setReachable(false)
            bench.hangUp(.ended)
            #expect(bench.status.connection == .ended)
            #expect(bench.feedEvents.last == .ended)
            #expect(bench.status.listingFailure?.code == .unreachable)
        }
    }

    private final class RandomBox: Sendable {
        private let generator: Mutex<SeededGenerator>
        init(_ generator: consuming Mutex<SeededGenerator>) { self.generator = generator }
        func next() -> UInt64 { generator.withLock { $0.next() } }
    }
}
