import Synchronization

/// Runs tasks one job at a time and only when the test says so, on the test's own thread.
///
/// With a ``ManualClock`` it makes a concurrent program deterministic: after ``settle()`` each task
/// waits for something that only the test can bring, and after ``advance(by:)`` each sleeper has
/// been woken at its own moment, in order.
public final class SteppedTasks: TaskExecutor {
    /// The clock that the tasks sleep by.
    public let clock = ManualClock()
    private let jobs = Mutex<[UnownedJob]>([])

    /// Makes an executor without work.
    public init() {}

    /// Takes a job of the concurrency runtime; not called by hand.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs all that can run without time going on.
    public func settle() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            // Each job was handed over once and is run once, here.
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Lets time go on by `duration`, from one sleeper's moment to the next.
    public func advance(by duration: Duration) {
        let end = clock.now.offset + duration
        settle()
        while let next = clock.nextDeadline, next.offset <= end {
            clock.advance(by: next.offset - clock.now.offset)
            settle()
        }
        clock.advance(by: end - clock.now.offset)
        settle()
    }

    /// Starts `work`, lets the test drive it, and ends it by cancellation.
    ///
    /// Stops the run if cancelling does not end the work: nobody else would.
    ///
    /// - Parameters:
    ///   - work: what runs until it is cancelled.
    ///   - drive: settles, advances and looks; all that can run at the start has run before.
    /// - Throws: what `drive` throws.
    public func running(
        _ work: @escaping @Sendable () async -> Void,
        drive: () throws -> Void
    ) async throws {
        let ending = Ending()
        let result = await withTaskGroup { group in
            group.addTask(executorPreference: self) {
                await work()
                ending.isOver.withLock { $0 = true }
            }
            settle()
            let result = Result(catching: drive)
            group.cancelAll()
            settle()
            let isOver = ending.isOver.withLock { $0 }
            precondition(isOver, "The work goes on though it was cancelled.")
            return result
        }
        try result.get()
    }
}

private final class Ending: Sendable {
    let isOver = Mutex(false)
}
