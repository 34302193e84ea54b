import Concurrency
import Synchronization
import TestSupport
import Testing

@Suite("A call with a time-out returns in time, or nothing", .tags(.threads))
struct TimeoutTests {
    private struct CallFailure: Error, Equatable {}

    @Test("a call that returns in time gives its result, and the timer ends")
    func inTime() async throws {
        let tasks = SteppedTasks()
        let results = Results()
        try await tasks.running({
            let value = await withTimeout(.seconds(5), clock: tasks.clock) {
                try? await tasks.clock.sleep(for: .seconds(4))
                return 7
            }
            results.append(value)
        }) {
            tasks.advance(by: .seconds(4))
            #expect(results.values == [7])
            #expect(tasks.clock.nextDeadline == nil, "no timer is left behind")
        }
    }

    @Test("a call that throws in time throws its own error")
    func failure() async {
        let clock = ManualClock()
        await #expect(throws: CallFailure()) {
            try await withTimeout(.seconds(5), clock: clock) { () throws(CallFailure) -> Int in
                throw CallFailure()
            }
        }
    }

    @Test("a call that takes longer is cancelled, awaited, and gives nil")
    func timeout() async throws {
        let tasks = SteppedTasks()
        let results = Results()
        try await tasks.running({
            let value = await withTimeout(.seconds(5), clock: tasks.clock) {
                try? await tasks.clock.sleep(for: .seconds(100))
                results.append(Task.isCancelled ? 1 : 0)
                return 7
            }
            results.append(value)
        }) {
            tasks.advance(by: .milliseconds(4_999))
            #expect(results.values.isEmpty)
            tasks.advance(by: .milliseconds(1))
            #expect(results.values == [1, nil], "cancelled, awaited, dropped")
        }
    }

    @Test("a cancelled caller gets what its call makes of the cancellation")
    func cancellation() async throws {
        let tasks = SteppedTasks()
        let results = Results()
        try await tasks.running({
            let value = await withTimeout(.seconds(5), clock: tasks.clock) {
                (try? await tasks.clock.sleep(for: .seconds(3))) == nil ? -1 : 7
            }
            results.append(value)
        }) {}
        #expect(results.values == [-1])
    }

    @Test("a result of an optional type is told from a time-out")
    func optionalResult() async {
        let value: Int?? = await withTimeout(.seconds(5), clock: ManualClock()) { Int?.none }
        #expect(value == .some(nil))
    }

    private final class Results: Sendable {
        private let state = Mutex<[Int?]>([])
        var values: [Int?] { state.withLock { $0 } }
        func append(_ value: Int?) { state.withLock { $0.append(value) } }
    }
}
