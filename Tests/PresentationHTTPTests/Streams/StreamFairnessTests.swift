import Concurrency
import Domain
import Synchronization
import TestSupport
import Testing
import ViewStates

@testable import PresentationHTTP

@Suite("Streams share time and memory", .tags(.threads))
struct StreamFairnessTests {
    private static let list = DocumentQuery.marketList(MarketListQuery())

    /// Revisions of the list, the oldest first.
    private func revisions(_ count: Int, _ bench: inout StreamFixture) -> [String] {
        (0..<count).map { number in
            bench.wait(.milliseconds(100)) {
                $0.trade("XRP_KRW", at: FixedDecimal(Int64(1_000 + number)))
            }
            return bench.documents.bytes(Self.list).revision
        }
    }

    @Test("a pass without time serves two positions of a topic, the newest first")
    func positions() throws {
        var bench = StreamFixture()
        let ids = revisions(7, &bench)
        let readers = try ids.dropLast().map { id in
            let reader = try bench.streams.subscribe(to: Self.list, resumingAfter: id)
            _ = reader.served()
            return reader
        }
        bench.wait(.milliseconds(100)) { $0.trade("XRP_KRW", at: "744") }
        // One event each was taken: now all wait at one position, and one more behind it.
        let late = try bench.streams.subscribe(to: Self.list, resumingAfter: ids[0])
        let topic = late.topic
        for reader in readers + [late] { while reader.next() != .nothing {} }
        let service = topic.serve(update: 9, EventCompressor(), isOver: { true })
        #expect(service?.resets == 0 && service?.isComplete == true)

        let old = try ids.dropLast().map {
            try bench.streams.subscribe(to: Self.list, resumingAfter: $0)
        }
        for reader in old { while reader.next() != .nothing {} }
        var served: [Int] = []
        var passes = 0
        while served.count < old.count, passes < old.count {
            passes += 1
            let service = topic.serve(update: 9, EventCompressor(), isOver: { true })
            let new = old.indices.filter { !served.contains($0) && old[$0].next() != .nothing }
            #expect(new.count <= 2)
            served += new.reversed()
            #expect(service?.isComplete == (served.count == old.count))
        }
        #expect(served == Array(old.indices.reversed()))
    }

    @Test("readers that found no time are served by the passes that follow at once")
    func passes() throws {
        let clock = RunningClock()
        var bench = StreamFixture(passClock: clock)
        let ids = revisions(8, &bench)
        let readers = try ids.dropLast().map {
            try bench.streams.subscribe(to: Self.list, resumingAfter: $0)
        }
        for reader in readers { while reader.next() != .nothing {} }
        // Each look at the clock takes longer than a pass may.
        clock.step.store(100, ordering: .relaxed)
        var isServed = readers.map { _ in false }
        for _ in readers {
            bench.streams.advance()
            for index in readers.indices where !isServed[index] {
                isServed[index] = readers[index].next() != .nothing
            }
        }
        #expect(isServed == readers.map { _ in true })
    }

    @Test("a topic that found no time and has lost its readers is forgotten")
    func missed() throws {
        let clock = RunningClock()
        var bench = StreamFixture(passClock: clock)
        let readers = try (1...8).map { limit in
            var query = MarketListQuery()
            query.limit = limit
            return try bench.streams.subscribe(to: .marketList(query))
        }
        for reader in readers { while reader.next() != .nothing {} }
        // Each look at the clock takes longer than a pass may.
        clock.step.store(100, ordering: .relaxed)
        bench.wait(.milliseconds(100)) { $0.trade("XRP_KRW", at: "744") }
        #expect(bench.streams.scheduledCount > 0)
        for reader in readers { reader.cancel() }
        for _ in readers { bench.streams.advance() }
        #expect(bench.streams.scheduledCount == 0)
    }

    @Test("a topic is paid by a reader who is there, not by the one who came first")
    func payer() throws {
        let bench = StreamFixture(bytesMax: 6 << 20)
        func open(_ number: Int, _ user: Int64) throws -> StreamSubscription {
            var query = MarketListQuery()
            query.invalidMarketNames = ["\(number)"]
            return try bench.streams.subscribe(
                to: .marketList(query),
                for: StreamReader(owner: .user(UserID(user)), isGzip: false)
            )
        }
        var first: [StreamSubscription] = []
        while let reader = try? open(first.count, 1) { first.append(reader) }
        #expect(!first.isEmpty)
        let bytes = bench.streams.status.bytes
        let second = try first.indices.map { try open($0, 2) }
        #expect(bench.streams.status.bytes == bytes)
        // The second reader pays nothing as long as the first is there.
        let own = try open(1_000, 2)
        own.cancel()
        for reader in first { reader.cancel() }
        #expect(bench.streams.status.bytes == bytes)
        #expect(throws: StreamRejection.tooManyBytes) { try open(1_001, 2) }
        let again = try open(1_002, 1)
        for reader in second + [again] { reader.cancel() }
        #expect(bench.streams.status.bytes == 0 && bench.streams.status.topics == 0)
        _ = try open(1_003, 2)
    }
}
