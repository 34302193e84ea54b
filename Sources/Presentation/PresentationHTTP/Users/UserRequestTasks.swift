import Synchronization

/// Requests that wait for the store, as tasks without a thread each.
///
/// At most ``jobsMax`` jobs wait or are in flight; one more is refused. The connections of the
/// store bound how many call it at once.
final class UserRequestTasks: Sendable {
    /// The most jobs that wait or are in flight.
    static let jobsMax = 1_024

    /// A request.
    struct Job: Sendable {
        /// Serves it.
        var perform: @Sendable () async -> Void
        /// Is called instead if the service ends first.
        var refuse: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var underWay = 0
        var hasEnded = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// The number of jobs that wait or are in flight.
    var count: Int { state.withLock { $0.waiting.count + $0.underWay } }

    /// Adds a job; returns at once.
    ///
    /// - Returns: false if the queue is full or the service has ended.
    func put(_ job: Job) -> Bool {
        let (isTaken, reader) = state.withLock { state in
            let count = state.waiting.count + state.underWay
            guard !state.hasEnded, count < Self.jobsMax else {
                return (false, CheckedContinuation<Void, Never>?.none)
            }
            state.waiting.append(job)
            defer { state.reader = nil }
            return (true, state.reader)
        }
        reader?.resume()
        return isTaken
    }

    /// Runs jobs until the task is cancelled.
    ///
    /// Called once.
    ///
    /// Waiting jobs are refused then. Jobs in flight are cancelled and awaited.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                await wait()
                for job in take() {
                    group.addTask {
                        await job.perform()
                        self.state.withLock { $0.underWay -= 1 }
                    }
                }
            }
        }
        let left = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in left { job.refuse() }
    }

    private func take() -> [Job] {
        state.withLock { state in
            state.underWay += state.waiting.count
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || !state.waiting.isEmpty { return true }
                    state.reader = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume()
        }
    }
}
