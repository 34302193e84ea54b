import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Jobs of several owners")
struct FairQueueTests {
    private typealias Queue = FairQueue<String, Int>

    private static let bounds = Queue.Bounds(
        waitingMax: 20,
        waitingPerOwnerMax: 8,
        runningMax: 3,
        runningPerOwnerMax: 2
    )

    private func add(_ job: Int, of owner: String, _ queue: inout Queue) -> Bool {
        queue.add(job, of: owner)
    }

    private func begin(_ queue: inout Queue) -> Int? { queue.begin()?.job }

    @Test("owners take turns, each in the order of its jobs")
    func turns() {
        var queue = Queue(Self.bounds)
        for job in 1...4 { #expect(add(job, of: "a", &queue)) }
        for job in 11...12 { #expect(add(job, of: "b", &queue)) }
        var order: [Int] = []
        while let (owner, job) = queue.begin() {
            order.append(job)
            queue.end(of: owner)
        }
        #expect(order == [1, 11, 2, 12, 3, 4])
        #expect(queue.waitingCount == 0 && queue.runningCount == 0)
    }

    @Test("one owner leaves a place to others, and its jobs wait for its own")
    func running() {
        var queue = Queue(Self.bounds)
        for job in 1...4 { _ = queue.add(job, of: "a") }
        #expect(begin(&queue) == 1)
        #expect(begin(&queue) == 2)
        #expect(begin(&queue) == nil)
        _ = queue.add(11, of: "b")
        #expect(begin(&queue) == 11)
        _ = queue.add(21, of: "c")
        #expect(begin(&queue) == nil)
        queue.end(of: "a")
        #expect(begin(&queue) == 3)
        queue.end(of: "b")
        #expect(begin(&queue) == 21)
    }

    @Test("a full queue refuses jobs of the owner, then of all")
    func full() {
        var queue = Queue(Self.bounds)
        for job in 1...8 { #expect(add(job, of: "a", &queue)) }
        #expect(!add(9, of: "a", &queue))
        for owner in ["b", "c", "d"] {
            for job in 1...4 { #expect(add(job, of: owner, &queue)) }
        }
        #expect(!add(1, of: "e", &queue))
        _ = queue.begin()
        #expect(add(1, of: "e", &queue))
    }

    @Test(
        "random owners: no job is lost, begun twice or begun beyond the bounds",
        arguments: 0..<20
    )
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = Queue(Self.bounds)
        var (added, begun, running) = ([Int](), [Int](), [String]())
        for job in 0..<500 {
            let owner = ["a", "b", "c", "d"].randomElement(using: &generator) ?? "a"
            let isTaken = queue.add(job, of: owner)
            if isTaken { added.append(job) }
            if Bool.random(using: &generator), let (owner, job) = queue.begin() {
                begun.append(job)
                running.append(owner)
            }
            #expect(running.count <= 3)
            #expect(Set(running).allSatisfy { owner in running.count { $0 == owner } <= 2 })
            if Bool.random(using: &generator), let owner = running.popLast() {
                queue.end(of: owner)
            }
        }
        while let owner = running.popLast() { queue.end(of: owner) }
        while let (owner, job) = queue.begin() {
            begun.append(job)
            queue.end(of: owner)
        }
        #expect(begun.sorted() == added)
    }
}
