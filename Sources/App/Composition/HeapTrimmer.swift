import Concurrency
import HeapMemory

/// Returns free heap memory to the system.
///
/// Blocks of many sizes that come and go leave more and more of it behind, and peaks do at once.
struct HeapTrimmer: Sendable {
    /// The time between two checks.
    static let interval: Duration = .seconds(30)

    private let executor = BlockingExecutor(label: "hoga.heap")

    /// Checks until the task is cancelled.
    func run(clock: some Clock<Duration>) async {
        var plan = HeapTrimPolicy()
        while (try? await clock.sleep(for: Self.interval)) != nil {
            // Both calls walk the heap, so they run on a thread of their own.
            let idle = await executor.run { HeapMemory.idleBytes }
            if plan.isDue(idleBytes: idle) { await executor.run { HeapMemory.trim() } }
        }
    }
}
