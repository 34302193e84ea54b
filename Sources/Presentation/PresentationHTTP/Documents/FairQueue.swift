/// Jobs of several owners, who take turns.
///
/// Each owner has a bounded number of waiting jobs and of jobs in progress, so that many or long
/// jobs of one owner delay those of others by one job at most.
struct FairQueue<Owner: Hashable & Sendable, Job: Sendable>: Sendable {
    /// The bounds of a queue.
    struct Bounds: Sendable {
        /// Waiting jobs of all owners.
        var waitingMax: Int
        /// Waiting jobs of one owner.
        var waitingPerOwnerMax: Int
        /// Jobs in progress of all owners.
        var runningMax: Int
        /// Jobs in progress of one owner.
        var runningPerOwnerMax: Int
    }

    private let bounds: Bounds
    private var waiting: [Owner: [Job]] = [:]
    /// Owners with waiting jobs, the next first.
    private var turns: [Owner] = []
    private var running: [Owner: Int] = [:]
    private(set) var waitingCount = 0
    private(set) var runningCount = 0

    init(_ bounds: Bounds) { self.bounds = bounds }

    /// Adds a job; false if the owner, or all together, have too many.
    mutating func add(_ job: Job, of owner: Owner) -> Bool {
        let count = waiting[owner]?.count ?? 0
        guard waitingCount < bounds.waitingMax, count < bounds.waitingPerOwnerMax else {
            return false
        }
        if count == 0 { turns.append(owner) }
        waiting[owner, default: []].append(job)
        waitingCount += 1
        return true
    }

    /// Takes the job of the owner whose turn it is; nil if none may begin.
    mutating func begin() -> (owner: Owner, job: Job)? {
        guard runningCount < bounds.runningMax else { return nil }
        let place = turns.firstIndex { running[$0, default: 0] < bounds.runningPerOwnerMax }
        guard let place else { return nil }
        let owner = turns.remove(at: place)
        guard var jobs = waiting[owner], !jobs.isEmpty else { return nil }
        let job = jobs.removeFirst()
        waiting[owner] = jobs.isEmpty ? nil : jobs
        if !jobs.isEmpty { turns.append(owner) }
        waitingCount -= 1
        runningCount += 1
        running[owner, default: 0] += 1
        return (owner, job)
    }

    /// Ends a job in progress of an owner.
    mutating func end(of owner: Owner) {
        guard let count = running[owner] else { return }
        running[owner] = count > 1 ? count - 1 : nil
        runningCount -= 1
    }
}
