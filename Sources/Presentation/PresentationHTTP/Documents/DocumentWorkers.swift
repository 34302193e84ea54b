import Concurrency
import ViewStates
import Synchronization

/// Threads that make and compress documents, so that event loops never do.
///
/// Clients take turns (``FairQueue``). Requests for one product wait for one job, whose place in
/// the queue is the best of its clients'. A full queue refuses the request.
final class DocumentWorkers: Sendable {
    /// Waiting jobs of all clients.
    static let waitingMax = 512
    /// Waiting jobs of one client.
    static let waitingPerClientMax = 16

    /// A public document as bytes.
    struct Product: Sendable, Hashable {
        let query: DocumentQuery
        let isGzip: Bool
        /// The snapshot that is served: a later reader, who may have newer documents, does not get
        /// one that was begun before.
        let sequence: UInt64
    }

    /// Receives the response of a job, on any thread.
    typealias Completion = @Sendable (RouteResponse) -> Void

    /// Guarded by the lock of the workers.
    fileprivate struct Job: Sendable {
        let product: Product?
        let make: @Sendable (@escaping Completion) -> Void
        var clients: Set<RateLimits.Key>
        var completions: [Completion]
        var hasBegun = false
    }

    fileprivate struct State {
        var queue: FairQueue<RateLimits.Key, UInt64>
        var jobs: [UInt64: Job] = [:]
        /// The unfinished job of each product.
        var numbers: [Product: UInt64] = [:]
        var lastNumber: UInt64 = 0
        var idle: [BlockingExecutor]
    }

    private let state: Mutex<State>

    /// Makes workers; their threads begin with the first job.
    ///
    /// - Parameter threadCount: 1 or more; one client uses all but one of them.
    init(threadCount: Int) {
        let bounds = FairQueue<RateLimits.Key, UInt64>.Bounds(
            waitingMax: Self.waitingMax,
            waitingPerOwnerMax: Self.waitingPerClientMax,
            runningMax: threadCount,
            runningPerOwnerMax: max(1, threadCount - 1)
        )
        let executors = (0..<threadCount).map { BlockingExecutor(label: "hoga.documents.\($0)") }
        state = Mutex(State(queue: FairQueue(bounds), idle: executors))
    }

    /// Waiting jobs.
    var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

    /// Makes a response on a thread of the workers.
    ///
    /// - Parameters:
    ///   - product: what is made; nil if no other request can share it.
    ///   - client: the client whose turn it takes.
    ///   - make: makes the response and hands it to its argument once, on any thread.
    ///   - completion: receives it.
    /// - Returns: false if too many jobs wait; `completion` is not called then.
    func submit(
        _ product: Product?,
        for client: RateLimits.Key,
        _ make: @escaping @Sendable (@escaping Completion) -> Void,
        completion: @escaping Completion
    ) -> Bool {
        state.withLock { state in
            if let product, let number = state.numbers[product] {
                state.join(number, client, completion)
            } else {
                let job = Job(
                    product: product,
                    make: make,
                    clients: [client],
                    completions: [completion]
                )
                guard state.add(job, of: client) else { return false }
            }
            beginJobs(&state)
            return true
        }
    }

    private func beginJobs(_ state: inout State) {
        while let (client, number) = state.queue.begin() {
            guard let job = state.jobs[number], !job.hasBegun else {
                // Another client's turn came first.
                state.queue.end(of: client)
                continue
            }
            guard let executor = state.idle.popLast() else {
                preconditionFailure("each running job has one executor")
            }
            state.jobs[number]?.hasBegun = true
            executor.start { self.run(job.make, number, client, executor) }
        }
    }

    private func run(
        _ make: (@escaping Completion) -> Void,
        _ number: UInt64,
        _ client: RateLimits.Key,
        _ executor: BlockingExecutor
    ) {
        make { response in
            let completions = self.state.withLock { state in
                let job = state.jobs.removeValue(forKey: number)
                if let product = job?.product { state.numbers[product] = nil }
                return job?.completions ?? []
            }
            for completion in completions { completion(response) }
        }
        state.withLock { state in
            state.queue.end(of: client)
            state.idle.append(executor)
            beginJobs(&state)
        }
    }
}

extension DocumentWorkers.State {
    fileprivate mutating func add(_ job: DocumentWorkers.Job, of client: RateLimits.Key) -> Bool {
        lastNumber += 1
        guard queue.add(lastNumber, of: client) else { return false }
        jobs[lastNumber] = job
        if let product = job.product { numbers[product] = lastNumber }
        return true
    }

    /// Has another request wait for a job, which takes the client's turn if that comes first.
    fileprivate mutating func join(
        _ number: UInt64,
        _ client: RateLimits.Key,
        _ completion: @escaping DocumentWorkers.Completion
    ) {
        guard var job = jobs.removeValue(forKey: number) else { return }
        job.completions.append(completion)
        if !job.hasBegun, !job.clients.contains(client), queue.add(number, of: client) {
            job.clients.insert(client)
        }
        jobs[number] = job
    }
}
