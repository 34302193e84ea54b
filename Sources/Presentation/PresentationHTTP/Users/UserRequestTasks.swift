import Synchronization

/// Work that waits for a store, with nobody's thread.
///
/// Bound: ``jobsMax`` jobs that wait or are under way; one more is not taken. Jobs that wait for
/// the same reading cost a continuation each, so that many may be under way together; how many
/// talk to the store at one time is for the store's connections to say.
final class UserRequestTasks: Sendable {
    /// Jobs that may wait or be under way.
    static let jobsMax = 1_024

    /// Something to be done.
    struct Job: Sendable {
        /// Does it.
        var perform: @Sendable () async -> Void
        /// Is called instead if nobody does it any more.
        var refuse: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var underWay = 0
        var hasEnded = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// How many jobs wait or are under way.
    var count: Int { state.withLock { $0.waiting.count + $0.underWay } }

    /// Takes a job; returns at once.
    ///
    /// - Returns: false if too many are there already, or none is done any more: it is dropped.
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

    /// Does jobs until the task is cancelled; to be called once.
    ///
    /// Those that wait then are refused, those under way are cancelled and waited for.
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
