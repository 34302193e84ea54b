import Dispatch

/// Runs a blocking part of a test on a thread of its own.
///
/// Swift's pool has one thread for each core: tests that block there hold up the tasks they wait
/// for. Issues are still recorded for the calling test.
public func onBlockingThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    let executor = ThreadExecutor()
    return try await withTaskExecutorPreference(executor) {
        try await perform(body)
    }
}

/// Concurrent, so that it runs on the preferred executor instead of the caller's.
@concurrent
private func perform<Value: Sendable>(
    _ body: @Sendable () throws -> Value
) async throws -> Value {
    try body()
}

/// Runs the jobs of one task on a serial queue, where they may block.
///
/// A server that a test waits for needs one too: in Swift's pool it would queue behind all tests.
public final class ThreadExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "hoga.test")

    /// Creates an executor.
    public init() {}

    /// Receives a job from the concurrency runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        // The runtime enqueues each job once, and it runs once.
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
