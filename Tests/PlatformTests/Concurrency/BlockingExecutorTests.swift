import Concurrency
import Dispatch
import Testing

@Suite(
    "A blocking executor runs the jobs of its actor in order, and lets them block",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct BlockingExecutorTests {
    /// An actor on a blocking executor.
    fileprivate actor Recorder {
        nonisolated let executor = BlockingExecutor(label: "hoga.test.recorder")
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            // The actor owns its executor, so the reference never outlives it.
            unsafe executor.asUnownedSerialExecutor()
        }
        private(set) var entries: [Int] = []

        func append(_ entry: Int) { entries.append(entry) }

        /// Blocks the thread, not the task: what a C call does.
        func block(on semaphore: DispatchSemaphore) { semaphore.wait() }
    }

    @Test("jobs of one task run in the order of their calls")
    func order() async {
        let recorder = Recorder()
        for entry in 0..<1_000 { await recorder.append(entry) }
        #expect(await recorder.entries == Array(0..<1_000))
    }

    @Test("jobs of many tasks never run at once: no addition is lost")
    func exclusion() async {
        let recorder = Recorder()
        await withTaskGroup(of: Void.self) { group in
            for entry in 0..<500 { group.addTask { await recorder.append(entry) } }
        }
        #expect(await recorder.entries.sorted() == Array(0..<500))
    }

    @Test("more blocked actors than cores leave the shared pool free to release them")
    func blocking() async {
        // With 16 actors blocked on the shared pool the releasing task could not start, and the
        // test would hang.
        let semaphores = (0..<16).map { _ in DispatchSemaphore(value: 0) }
        let ended = await withTaskGroup(of: Int.self) { group in
            for semaphore in semaphores {
                group.addTask {
                    let recorder = Recorder()
                    await recorder.block(on: semaphore)
                    return 1
                }
            }
            group.addTask { @concurrent in
                for semaphore in semaphores { semaphore.signal() }
                return 0
            }
            return await group.reduce(0, +)
        }
        #expect(ended == semaphores.count)
    }

    @Test("an actor's isolation holds on its executor")
    func isolation() async {
        await #expect(processExitsWith: .success) {
            await Recorder().checkOwnIsolation()
        }
    }

    @Test("run returns the result of the work, and its thread is not the caller's")
    func run() async {
        let executor = BlockingExecutor(label: "hoga.test.run")
        let isOnExecutor = await executor.run {
            executor.checkIsolated()
            return true
        }
        #expect(isOnExecutor)
    }

    @Test("code outside the executor that claims the isolation stops the program")
    func foreignCode() async {
        await #expect(processExitsWith: .failure) {
            BlockingExecutor(label: "hoga.test.foreign").checkIsolated()
        }
    }
}

extension BlockingExecutorTests.Recorder {
    fileprivate func checkOwnIsolation() {
        executor.checkIsolated()
        assertIsolated()
    }
}
