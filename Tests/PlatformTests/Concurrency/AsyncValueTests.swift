import Concurrency
import Synchronization
import TestSupport
import Testing

@Suite(
    "An async value wakes each waiting task once, in order, and lets cancelled tasks go",
    .tags(.threads)
)
struct AsyncValueTests {
    @Test("a condition that is met already returns at once")
    func immediate() async {
        let value = AsyncValue(5)
        #expect(await value.first { $0 > 4 } == 5)
        #expect(value.value == 5)
    }

    @Test("a waiter gets the value that met its condition, not a later one")
    func firstMatch() async throws {
        let value = AsyncValue(0)
        let tasks = SteppedTasks()
        let results = Results()
        try await tasks.running({ results.append(await value.first { $0 > 3 }) }) {
            value.update { $0 = 2 }
            value.update { $0 = 4 }
            value.update { $0 = 1 }
            tasks.settle()
        }
        #expect(results.values == [4])
    }

    @Test("an update wakes every waiter whose condition is met, in order, and no other")
    func manyWaiters() async throws {
        let value = AsyncValue(0)
        let tasks = SteppedTasks()
        let results = Results()
        let work: @Sendable () async -> Void = {
            await withTaskGroup { group in
                for limit in 1...4 {
                    group.addTask {
                        results.append(await value.first { $0 >= limit }.map { _ in limit })
                    }
                }
            }
        }
        try await tasks.running(work) {
            value.update { $0 = 2 }
            tasks.settle()
            #expect(results.values == [1, 2])
            value.update { $0 = 4 }
            tasks.settle()
            #expect(results.values == [1, 2, 3, 4])
        }
    }

    @Test("a cancelled task gets nil, whether it waits already or begins to")
    func cancellation() async throws {
        let value = AsyncValue(0)
        let tasks = SteppedTasks()
        let results = Results()
        try await tasks.running({
            results.append(await value.first { $0 > 0 })
            // The task is cancelled by now: even a condition that is met returns nil.
            results.append(await value.first { $0 == 0 })
        }) {}
        #expect(results.values == [nil, nil])
        value.update { $0 = 1 }
        #expect(value.value == 1)
    }

    @Test("an update returns the value after the change")
    func update() {
        let value = AsyncValue([1])
        #expect(value.update { $0.append(2) } == [1, 2])
    }

    @Test("a bounded wait ends with the value, or with nil at the limit")
    func limit() async throws {
        let value = AsyncValue(0)
        let tasks = SteppedTasks()
        let results = Results()
        try await tasks.running({
            for target in 1...3 {
                results.append(
                    await value.first(within: .seconds(5), clock: tasks.clock) { $0 == target }
                )
            }
        }) {
            tasks.advance(by: .milliseconds(4_999))
            #expect(results.values.isEmpty)
            tasks.advance(by: .milliseconds(1))
            #expect(results.values == [nil])
            value.update { $0 = 2 }
            tasks.settle()
            #expect(results.values == [nil, 2])
        }
        #expect(results.values == [nil, 2, nil], "the cancelled wait ends without a value")
    }

    @Test("a bounded wait needs no time for a condition that is met, and none without time")
    func limitZero() async {
        let value = AsyncValue(1)
        let clock = ManualClock()
        #expect(await value.first(within: .seconds(5), clock: clock) { $0 == 1 } == 1)
        #expect(await value.first(within: .zero, clock: clock) { $0 == 1 } == 1)
        #expect(await value.first(within: .zero, clock: clock) { $0 == 2 } == nil)
    }

    @Test("no wake-up is lost when many tasks change and wait at once")
    func race() async {
        let value = AsyncValue(0)
        let rounds = 500
        // Each task waits for its turn, which only another task's update makes: with one lost
        // wake-up the test would hang.
        await withTaskGroup { group in
            for player in 0..<4 {
                group.addTask {
                    for round in 0..<rounds {
                        let turn = round * 4 + player
                        _ = await value.first { $0 == turn }
                        value.update { $0 += 1 }
                    }
                }
            }
        }
        #expect(value.value == rounds * 4)
    }

    @Test("a cancellation that races with an update resumes each waiter once")
    func cancellationRace() async {
        for round in 1...500 {
            let value = AsyncValue(0)
            let results = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<4 { group.addTask { await value.first { $0 == round } } }
                group.addTask {
                    value.update { $0 = round }
                    return nil
                }
                group.cancelAll()
                return await group.reduce(into: [Int?]()) { $0.append($1) }
            }
            #expect(results.count == 5)
            #expect(results.allSatisfy { $0 == nil || $0 == round })
        }
    }

    private final class Results: Sendable {
        private let state = Mutex<[Int?]>([])
        var values: [Int?] { state.withLock { $0 } }
        func append(_ value: Int?) { state.withLock { $0.append(value) } }
    }
}
