import Synchronization
import TestSupport
import Testing

@testable import Repositories

@Suite("Whoever waits for a value gets it, once, and lets go when cancelled", .tags(.threads))
struct SignalTests {
    @Test("answers at once when the value is there already")
    func immediate() async {
        let signal = Signal(5)
        #expect(await signal.first { $0 > 4 } == 5)
        #expect(signal.value == 5)
    }

    @Test("answers with the value that met the condition, not a later one")
    func firstMatch() async throws {
        let signal = Signal(0)
        let tasks = SteppedTasks()
        let box = Box()
        try await tasks.running({ box.append(await signal.first { $0 > 3 }) }) {
            signal.update { $0 = 2 }
            signal.update { $0 = 4 }
            signal.update { $0 = 1 }
            tasks.settle()
        }
        #expect(box.values == [4])
    }

    @Test("wakes everybody whose condition is met, in order, and nobody else")
    func everybody() async throws {
        let signal = Signal(0)
        let tasks = SteppedTasks()
        let box = Box()
        let work: @Sendable () async -> Void = {
            await withTaskGroup { group in
                for limit in 1...4 {
                    group.addTask {
                        box.append(await signal.first { $0 >= limit }.map { _ in limit })
                    }
                }
            }
        }
        try await tasks.running(work) {
            signal.update { $0 = 2 }
            tasks.settle()
            #expect(box.values == [1, 2])
            signal.update { $0 = 4 }
            tasks.settle()
            #expect(box.values == [1, 2, 3, 4])
        }
    }

    @Test("answers nothing to a task that is cancelled, before or while it waits")
    func cancellation() async throws {
        let signal = Signal(0)
        let tasks = SteppedTasks()
        let box = Box()
        try await tasks.running({
            box.append(await signal.first { $0 > 0 })
            // The task is cancelled by now: even a value that is there is not waited for.
            box.append(await signal.first { $0 == 0 })
        }) {}
        #expect(box.values == [nil, nil])
        signal.update { $0 = 1 }
        #expect(signal.value == 1)
    }

    @Test("gives back the value after the change")
    func update() {
        let signal = Signal([1])
        #expect(signal.update { $0.append(2) } == [1, 2])
    }

    @Test("loses no wake-up when everybody changes and waits at once")
    func race() async {
        let signal = Signal(0)
        let rounds = 500
        // Each player waits for its turn, which only the others bring: one lost wake-up and
        // nobody ends.
        await withTaskGroup { group in
            for player in 0..<4 {
                group.addTask {
                    for round in 0..<rounds {
                        let turn = round * 4 + player
                        _ = await signal.first { $0 == turn }
                        signal.update { $0 += 1 }
                    }
                }
            }
        }
        #expect(signal.value == rounds * 4)
    }

    @Test("neither hangs nor answers twice when cancelling races with the value")
    func cancellationRace() async {
        for round in 1...500 {
            let signal = Signal(0)
            let answers = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<4 { group.addTask { await signal.first { $0 == round } } }
                group.addTask {
                    signal.update { $0 = round }
                    return nil
                }
                group.cancelAll()
                return await group.reduce(into: [Int?]()) { $0.append($1) }
            }
            #expect(answers.count == 5)
            #expect(answers.allSatisfy { $0 == nil || $0 == round })
        }
    }

    private final class Box: Sendable {
        private let state = Mutex<[Int?]>([])
        var values: [Int?] { state.withLock { $0 } }
        func append(_ value: Int?) { state.withLock { $0.append(value) } }
    }
}
