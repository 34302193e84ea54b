import Dispatch

/// A serial executor with a thread of its own while it has work: the place for blocking C calls.
///
/// An actor whose `unownedExecutor` is one of these may block for as long as it likes: it holds up
/// nobody but itself, because Swift's shared pool, which has one thread per core, is not used.
/// Jobs run one at a time in the order of their arrival. The number of waiting jobs is the number
/// of tasks that wait for the actor: each task waits for one, so tasks bound it.
///
/// Dispatch gives a blocked queue no second thread and runs at most 255 such queues of a process at
/// once; programs here use fewer than ten.
public final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Makes an executor.
    ///
    /// - Parameter label: what debuggers call its queue, such as `hoga.http`.
    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Takes one job of the concurrency runtime; not called by hand.
    public func enqueue(_ job: consuming ExecutorJob) {
        // The runtime hands over each job once, and it is run exactly once, on this executor.
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    /// Runs a closure as a job that nobody waits for.
    ///
    /// Whoever starts jobs sees to it that they end by themselves and that their number is bounded.
    public func start(_ job: @escaping @Sendable () -> Void) {
        queue.async(execute: job)
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
