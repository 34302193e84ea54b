import Synchronization

/// Runs the jobs of tasks one at a time, on the thread of the test, when the test asks for it.
///
/// With a ``ManualClock`` a concurrent program becomes deterministic: after ``settle()`` each task
/// waits for input from the test, and ``advance(by:)`` wakes sleepers in the order of their
/// deadlines.
public final class SteppedTasks: TaskExecutor {
    /// The clock that the tasks sleep by.
    public let clock = ManualClock()
    private let jobs = Mutex<[UnownedJob]>([])

    /// Creates an executor without jobs.
    public init() {}

    /// Receives a job from the concurrency runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs all jobs that need no passing of time.
    public func settle() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            // The runtime enqueues each job once, and it runs once, here.
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Advances the clock by `duration`, from one deadline to the next.
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
    /// Traps if cancellation does not end the work.
    ///
    /// - Parameters:
    ///   - work: runs until it is cancelled.
    ///   - drive: settles, advances and checks, after a first ``settle()``.
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

final class Ending: Sendable {
    let isOver = Mutex(false)
}

extension SteppedTasks {
    /// Work that a test has started beside others.
    public final class Work: Sendable {
        private let task: Task<Void, Never>
        private let ending: Ending

        fileprivate init(_ task: Task<Void, Never>, _ ending: Ending) {
            self.task = task
            self.ending = ending
        }

        /// Whether it has ended.
        public var isOver: Bool { ending.isOver.withLock(\.self) }

        /// Asks it to end, which it does as the jobs run.
        public func cancel() { task.cancel() }
    }

    /// Starts work that the test ends by itself, such as one of several programs.
    public func start(_ work: @escaping @Sendable () async -> Void) -> Work {
        let ending = Ending()
        let task = Task(executorPreference: self) {
            await work()
            ending.isOver.withLock { $0 = true }
        }
        return Work(task, ending)
    }
}
