import Domain
import Synchronization
import TestSupport
import Testing
@testable import UseCases

@Suite("FollowMarkets publishes snapshots often enough, but not too often", .tags(.threads))
struct FollowMarketsTests {
    /// A use case driven step by step, and its published snapshots.
    private struct Bench {
        let tasks = SteppedTasks()
        let feed = ScriptedFeed()
        let latest: SnapshotPublisher
        let published = PublishedSnapshots()
        let follow: FollowMarkets

        init(snapshotInterval: Duration = .milliseconds(100)) {
            let board = MarketBoard(kind: .live)
            let clock = tasks.clock
            let latest = SnapshotPublisher(
                BoardSnapshot(board: board, sequence: 0, capturedAt: .noon())
            )
            let published = published
            latest.onChange { published.note(latest.value, at: clock.now.offset) }
            self.latest = latest
            follow = FollowMarkets(
                feed: feed,
                board: board,
                latest: latest,
                snapshotInterval: snapshotInterval,
                clock: clock,
                now: { .noon(plus: clock.now.offset) }
            )
        }

        func drive(_ drive: () throws -> Void) async throws {
            let follow = follow
            try await tasks.running({ await follow.run() }, drive: drive)
        }

        func trade(_ price: FixedDecimal) {
            let now = Timestamp.noon(plus: tasks.clock.now.offset)
            feed.put(.trade(Trade("XRP_KRW", price: price, at: now)), at: now)
            tasks.settle()
        }

        var price: FixedDecimal? { latest.value.board.market("XRP_KRW")?.price }
    }

    private final class PublishedSnapshots: Sendable {
        private let state = Mutex<[(sequence: UInt64, capturedAt: Timestamp, at: Duration)]>([])

        func note(_ snapshot: BoardSnapshot, at offset: Duration) {
            state.withLock { $0.append((snapshot.sequence, snapshot.capturedAt, offset)) }
        }

        var times: [Duration] { state.withLock { $0.map(\.at) } }
        var sequences: [UInt64] { state.withLock { $0.map(\.sequence) } }
        var wallTimes: [Timestamp] { state.withLock { $0.map(\.capturedAt) } }
    }

    @Test("a snapshot follows at once after a pause, then after the interval, with the last change")
    func interval() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.trade("100")
            #expect(bench.published.times == [.zero])
            #expect(bench.price == "100")
            bench.tasks.advance(by: .milliseconds(40))
            bench.trade("101")
            bench.trade("102")
            #expect(bench.price == "100", "the interval is not over")
            bench.tasks.advance(by: .milliseconds(59))
            #expect(bench.published.times == [.zero])
            bench.tasks.advance(by: .milliseconds(1))
            #expect(bench.published.times == [.zero, .milliseconds(100)])
            #expect(bench.price == "102")
            bench.tasks.advance(by: .milliseconds(200))
            #expect(bench.published.times.count == 2, "nothing changed")
            bench.trade("103")
            #expect(bench.published.times.last == .milliseconds(300))
            #expect(bench.price == "103")
        }
        #expect(bench.published.sequences == [1, 2, 3])
        #expect(bench.published.wallTimes == bench.published.times.map { .noon(plus: $0) })
    }

    @Test(
        "under random traffic the interval is kept and the last state published",
        arguments: [1, 2, 3] as [UInt64]
    )
    func traffic(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let bench = Bench()
        var last: FixedDecimal?
        try await bench.drive {
            for _ in 0..<300 {
                let price = FixedDecimal(Int64.random(in: 1...1_000, using: &generator))
                bench.trade(price)
                last = price
                let pause = Int.random(in: 0...80, using: &generator)
                bench.tasks.advance(by: .milliseconds(pause))
            }
            bench.tasks.advance(by: .milliseconds(100))
        }
        #expect(bench.price == last)
        let times = bench.published.times
        for (earlier, later) in zip(times, times.dropFirst()) {
            #expect(later - earlier >= .milliseconds(100))
        }
        #expect(times.count > 50)
    }

    @Test("a snapshot follows every second, even without events")
    func beat() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(5))
        }
        #expect(bench.published.times == (1...5).map { .seconds($0) })
    }

    @Test("with a slow interval snapshots are at most a second apart")
    func slowInterval() async throws {
        let bench = Bench(snapshotInterval: .milliseconds(700))
        try await bench.drive {
            bench.tasks.advance(by: .seconds(10))
        }
        let times = bench.published.times
        for (earlier, later) in zip(times, times.dropFirst()) {
            #expect(later - earlier >= .milliseconds(700))
            #expect(later - earlier <= .milliseconds(1_700))
        }
    }

    @Test("a frame without a change updates the feed's times")
    func emptyFrames() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.feed.put(MarketEventBatch(events: [], receivedAt: .noon(), frameCount: 0))
            bench.tasks.settle()
            #expect(bench.published.times.isEmpty)
            bench.feed.put(MarketEventBatch(events: [], receivedAt: .noon(), frameCount: 1))
            bench.tasks.settle()
            #expect(bench.published.times == [.zero])
        }
    }

    @Test("each batch returns the feed status after it")
    func statuses() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.feed.put(.feed(.subscribed), at: .noon())
            bench.feed.put(.feed(.live), at: .noon())
            bench.tasks.settle()
            #expect(bench.feed.statuses.map(\.connection) == [.subscribed, .live])
        }
    }

    @Test("cancellation ends the run, whatever it waits for", arguments: [0, 1, 2])
    func cancellation(state: Int) async throws {
        let bench = Bench()
        // `drive` returning proves it: it fails if the work continues.
        try await bench.drive {
            if state > 0 { bench.trade("100") }
            if state > 1 { bench.tasks.advance(by: .milliseconds(50)) }
        }
        let count = bench.published.times.count
        bench.trade("101")
        #expect(bench.published.times.count == count, "no snapshot after the end")
    }
}

@Suite("SnapshotPublisher", .tags(.threads))
struct SnapshotPublisherTests {
    @Test("the newest snapshot is readable at any time, and every listener is called")
    func listeners() async throws {
        let board = MarketBoard(kind: .live)
        let latest = SnapshotPublisher(
            BoardSnapshot(board: board, sequence: 7, capturedAt: .noon())
        )
        let received = Mutex<[UInt64]>([])
        #expect(latest.value.sequence == 7)
        let tasks = SteppedTasks()
        let follow = FollowMarkets(
            feed: ScriptedFeed(),
            board: board,
            latest: latest,
            snapshotInterval: .milliseconds(100),
            clock: tasks.clock,
            now: { .noon(3) }
        )
        let listener = Listener()
        latest.onChange { listener.count.withLock { $0 += 1 } }
        latest.onChange { listener.count.withLock { $0 += 10 } }
        try await tasks.running({ await follow.run() }) {
            tasks.advance(by: .seconds(2))
            received.withLock { $0.append(latest.value.sequence) }
        }
        #expect(received.withLock { $0 } == [2])
        #expect(latest.value.capturedAt == .noon(3))
        #expect(listener.count.withLock { $0 } == 22)
    }

    private final class Listener: Sendable {
        let count = Mutex(0)
    }
}
