import Concurrency
import Synchronization
import TestSupport
import Testing

@Suite(
    "An async event wakes its one waiting task, and counts signals between waits as one",
    .tags(.threads)
)
struct AsyncEventTests {
    @Test("a signal before the wait lets the next wait return, once")
    func signalBeforeWait() async throws {
        let event = AsyncEvent()
        let tasks = SteppedTasks()
        let waits = Waits()
        event.signal()
        event.signal()
        try await tasks.running({
            while await event.wait() { waits.append(true) }
            waits.append(false)
        }) {
            #expect(waits.values == [true])
            event.signal()
            tasks.settle()
            #expect(waits.values == [true, true])
        }
        #expect(waits.values == [true, true, false], "a cancelled wait returns false")
    }

    @Test("a signal that a cancelled wait did not take lets a later wait return")
    func signalAfterCancellation() async throws {
        let event = AsyncEvent()
        let tasks = SteppedTasks()
        let waits = Waits()
        try await tasks.running({ waits.append(await event.wait()) }) {}
        event.signal()
        #expect(await event.wait())
        #expect(waits.values == [false])
    }

    @Test("a bounded wait returns false at the limit, and true for a signal before it")
    func limit() async throws {
        let event = AsyncEvent()
        let tasks = SteppedTasks()
        let waits = Waits()
        try await tasks.running({
            for _ in 0..<3 {
                waits.append(await event.wait(within: .seconds(1), clock: tasks.clock))
            }
        }) {
            tasks.advance(by: .seconds(1))
            #expect(waits.values == [false])
            tasks.advance(by: .milliseconds(500))
            event.signal()
            tasks.settle()
            #expect(waits.values == [false, true])
            tasks.advance(by: .milliseconds(999))
            #expect(waits.values == [false, true], "each wait has its own limit")
            tasks.advance(by: .milliseconds(1))
            #expect(waits.values == [false, true, false])
        }
    }

    @Test("no signal is lost when one task signals while another waits")
    func race() async {
        let (request, response) = (AsyncEvent(), AsyncEvent())
        let rounds = 1_000
        await withTaskGroup { group in
            group.addTask {
                for _ in 0..<rounds {
                    await request.wait()
                    response.signal()
                }
            }
            group.addTask {
                for _ in 0..<rounds {
                    request.signal()
                    await response.wait()
                }
            }
        }
        #expect(!(await response.wait(within: .zero, clock: ManualClock())))
    }

    private final class Waits: Sendable {
        private let state = Mutex<[Bool]>([])
        var values: [Bool] { state.withLock { $0 } }
        func append(_ value: Bool) { state.withLock { $0.append(value) } }
    }
}
