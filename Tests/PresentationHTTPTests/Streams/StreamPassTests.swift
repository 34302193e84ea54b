import Concurrency
import Synchronization
import TestSupport
import Testing
import ViewStates

@testable import PresentationHTTP

@Suite("A pass serves topics on several threads", .tags(.threads))
struct StreamPassTests {
    private static let topicCount = 40

    /// Topics of different lists with one reader each, who waits.
    private func waiting(_ bench: StreamFixture) throws -> [StreamSubscription] {
        try (0..<Self.topicCount).map { number in
            var query = MarketListQuery()
            query.invalidMarketNames = ["\(number)"]
            let reader = try bench.streams.subscribe(
                to: .marketList(query),
                for: StreamReader(owner: .process, isGzip: number.isMultiple(of: 2))
            )
            while reader.next() != .nothing {}
            return reader
        }
    }

    private func pass(_ threads: Int, by clock: any Clock<Duration>) -> StreamPass {
        let compressors = (0..<threads).map { _ in EventCompressor() }
        return StreamPass(update: 1, compressors: compressors, Stopwatch(clock))
    }

    @Test("each topic is served once, and its reader woken", arguments: [1, 2, 5])
    func all(threads: Int) throws {
        let bench = StreamFixture()
        let readers = try waiting(bench)
        let order = readers.map { TopicTable.Candidate(topic: $0.topic, owner: .process) }
        let (served, missed) = pass(threads, by: ManualClock()).serve(order)
        #expect(missed.isEmpty)
        let topics = served.map { ObjectIdentifier($0.candidate.topic) }
        #expect(topics.count == readers.count)
        #expect(Set(topics) == Set(readers.map { ObjectIdentifier($0.topic) }))
        #expect(readers.allSatisfy { $0.next() != .nothing })
    }

    @Test(
        "without time each thread serves one topic, and the rest is missed",
        arguments: [1, 2, 5]
    )
    func noTime(threads: Int) throws {
        let bench = StreamFixture()
        let readers = try waiting(bench)
        let order = readers.map { TopicTable.Candidate(topic: $0.topic, owner: .process) }
        // Each look at the clock takes longer than a pass may.
        let clock = RunningClock()
        clock.step.store(100, ordering: .relaxed)
        let (served, missed) = pass(threads, by: clock).serve(order)
        // Dispatch may give the work to fewer threads.
        #expect((1...threads).contains(served.count))
        let topics = (served.map(\.candidate) + missed).map { ObjectIdentifier($0.topic) }
        #expect(topics.count == readers.count)
        #expect(Set(topics) == Set(readers.map { ObjectIdentifier($0.topic) }))
        #expect(readers.count { $0.next() != .nothing } == served.count)
    }
}
