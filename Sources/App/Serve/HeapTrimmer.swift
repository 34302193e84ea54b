import Concurrency
import HeapMemory

/// Gives memory back to the system that a peak of requests has left behind.
struct HeapTrimmer: Sendable {
    /// How often it looks: memory that is free hurts nobody for so long.
    static let interval: Duration = .seconds(30)

    private let executor = BlockingExecutor(label: "hoga.heap")

    /// Looks until the task is cancelled.
    func run(clock: some Clock<Duration>) async {
        var plan = HeapTrimPolicy()
        while (try? await clock.sleep(for: Self.interval)) != nil {
            // Both walk through the heap, so they have a thread of their own.
            let free = await executor.run { HeapMemory.freeBytes }
            if plan.isDue(freeBytes: free) { await executor.run { HeapMemory.giveBack() } }
        }
    }
}
