import Concurrency
import HeapMemory

/// Returns free heap memory to the system after a peak of requests.
struct HeapTrimmer: Sendable {
    /// The time between two checks.
    static let interval: Duration = .seconds(30)

    private let executor = BlockingExecutor(label: "hoga.heap")

    /// Checks until the task is cancelled.
    func run(clock: some Clock<Duration>) async {
        var plan = HeapTrimPolicy()
        while (try? await clock.sleep(for: Self.interval)) != nil {
            // Both calls walk the heap, so they run on a thread of their own.
            let free = await executor.run { HeapMemory.freeBytes }
            if plan.isDue(freeBytes: free) { await executor.run { HeapMemory.trim() } }
        }
    }
}
