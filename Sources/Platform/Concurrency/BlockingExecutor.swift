import Dispatch

/// A serial executor on a thread of its own: the place for blocking C calls.
///
/// An actor whose `unownedExecutor` is one of these may block without holding up Swift's shared
/// pool, which has one thread per core. Jobs run one at a time in order of arrival. Each waiting
/// task holds one job, so the number of tasks bounds the queue.
///
/// The thread exists while there are jobs. Dispatch runs at most 255 such queues of a process at
/// once; hoga uses fewer than thirty.
public final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Makes an executor.
    ///
    /// - Parameter label: the queue's name in debuggers, such as `hoga.http`.
    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs one job of the concurrency runtime; not called by hand.
    public func enqueue(_ job: consuming ExecutorJob) {
        // The runtime hands over each job once, and it runs exactly once, on this executor.
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    /// Starts blocking work without waiting for it.
    ///
    /// The caller bounds the number of jobs and makes sure that each one ends.
    public func start(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Runs blocking work and waits for its end without blocking the caller's thread.
    ///
    /// No other job of this executor runs meanwhile. Cancelling the caller does not end the work:
    /// the work needs a signal of its own, such as an ``EventDescriptor``.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            start { continuation.resume(returning: work()) }
        }
    }

    /// The reference by which an actor names its executor; the actor must keep the executor alive.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Stops the program when the caller does not run on this executor.
    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}

/// Runs work on several threads of Dispatch, the calling one included, and waits for its end.
///
/// For CPU work on a thread that may wait.
///
/// - Parameters:
///   - count: how often the work runs; at most one thread per processor runs it at once.
///   - work: receives each number below `count` once.
public func performConcurrently(_ count: Int, _ work: @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: count, execute: work)
}
