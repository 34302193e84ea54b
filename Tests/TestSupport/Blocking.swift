import Dispatch

/// Runs the blocking part of a test on a thread of its own and waits for it.
///
/// Swift's shared pool has one thread for each core: tests that block there hold up the very tasks
/// they wait for. What fails inside is still counted for the test that called.
public func onBlockingThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    let executor = ThreadExecutor()
    return try await withTaskExecutorPreference(executor) {
        try await perform(body)
    }
}

/// Concurrent, so that it is the preferred executor and not the caller's that runs it.
@concurrent
private func perform<Value: Sendable>(
    _ body: @Sendable () throws -> Value
) async throws -> Value {
    try body()
}

/// Runs the jobs of one task on a queue of its own, which may block.
///
/// A server that a test waits for runs on one too: on the shared pool it would stand in line behind
/// all other tests.
public final class ThreadExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "hoga.test")

    /// Makes an executor.
    public init() {}

    /// Takes one job of the concurrency runtime; not called by hand.
    public func enqueue(_ job: consuming ExecutorJob) {
        // The runtime hands over each job once, and it is run exactly once.
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
