import Concurrency
import Dispatch
import Testing

@Suite(
    "A queue executor runs its actor's jobs in order and lets them block",
    .timeLimit(.minutes(30))
)
struct QueueExecutorTests {
    /// An actor that lives on a queue executor.
    fileprivate actor Ledger {
        nonisolated let executor = QueueExecutor(label: "hoga.test.ledger")
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            // The actor owns its executor, so the reference never outlives it.
            unsafe executor.asUnownedSerialExecutor()
        }
        private(set) var entries: [Int] = []

        func note(_ entry: Int) { entries.append(entry) }

        /// Blocks the thread, not the task: what a C call does.
        func block(until gate: DispatchSemaphore) { gate.wait() }
    }

    @Test("Jobs of one task run in the order of their calls")
    func order() async {
        let ledger = Ledger()
        for entry in 0..<1_000 { await ledger.note(entry) }
        #expect(await ledger.entries == Array(0..<1_000))
    }

    @Test("Jobs of many tasks never run at once: no addition is lost")
    func exclusion() async {
        let ledger = Ledger()
        await withTaskGroup(of: Void.self) { group in
            for entry in 0..<500 { group.addTask { await ledger.note(entry) } }
        }
        #expect(await ledger.entries.sorted() == Array(0..<500))
    }

    @Test("More blocked actors than cores leave the shared pool free to let them go")
    func blocking() async {
        // With 16 actors blocked on the shared pool the releasing task could never start, and this
        // test would hang.
        let gates = (0..<16).map { _ in DispatchSemaphore(value: 0) }
        let ended = await withTaskGroup(of: Int.self) { group in
            for gate in gates {
                group.addTask {
                    let ledger = Ledger()
                    await ledger.block(until: gate)
                    return 1
                }
            }
            group.addTask { @concurrent in
                for gate in gates { gate.signal() }
                return 0
            }
            return await group.reduce(0, +)
        }
        #expect(ended == gates.count)
    }

    @Test("An actor's isolation can be checked on its executor")
    func isolation() async {
        await #expect(processExitsWith: .success) {
            await Ledger().checkOwnIsolation()
        }
    }

    @Test("Code outside the executor is caught when it claims the isolation")
    func foreignCode() async {
        await #expect(processExitsWith: .failure) {
            QueueExecutor(label: "hoga.test.foreign").checkIsolated()
        }
    }
}

extension QueueExecutorTests.Ledger {
    fileprivate func checkOwnIsolation() {
        executor.checkIsolated()
        assertIsolated()
    }
}
