import Domain
import UseCases
import ViewStates
import Synchronization

/// Requests that wait for the first data of a market.
///
/// They are checked at every snapshot, at least once a second, by ``DocumentQuery/isReady(in:)``. A
/// wait ends after ``DocumentQuery/patience``, measured by the times of the snapshots.
final class FirstDataWaiters: Sendable {
    /// Concurrent waits; beyond them a request is answered at once.
    ///
    /// A client may take half of what others leave free, so the last place stays free.
    static let waitersMax = 512

    private struct Waiter {
        let client: RateLimits.Key
        let query: DocumentQuery
        let since: Timestamp
        let end: @Sendable () -> Void
    }

    /// The waiting requests, and how many each client has.
    private struct Waiters {
        private(set) var all: [Waiter] = []
        private var counts: [RateLimits.Key: Int] = [:]

        /// Adds a request; false if its client has its share of the places.
        mutating func add(_ waiter: Waiter) -> Bool {
            let own = counts[waiter.client, default: 0]
            guard own < (waitersMax - all.count) / 2 else { return false }
            all.append(waiter)
            counts[waiter.client] = own + 1
            return true
        }

        /// Removes and returns the requests whose wait is over.
        mutating func remove(where isOver: (Waiter) -> Bool) -> [Waiter] {
            let ended = all.filter(isOver)
            if ended.isEmpty { return [] }
            all.removeAll(where: isOver)
            for waiter in ended {
                let own = counts[waiter.client, default: 1]
                counts[waiter.client] = own > 1 ? own - 1 : nil
            }
            return ended
        }
    }

    private let latest: SnapshotPublisher
    private let waiters = Mutex(Waiters())

    init(latest: SnapshotPublisher) {
        self.latest = latest
        latest.onChange { [weak self] in self?.check() }
    }

    /// How many requests wait.
    var count: Int { waiters.withLock { $0.all.count } }

    /// Calls `end` once when the wait is over: at once, or on the thread that publishes snapshots.
    ///
    /// - Parameters:
    ///   - query: the request.
    ///   - client: the client whose share it takes.
    ///   - since: the time of the snapshot that lacked its data.
    ///   - end: called once.
    func wait(
        for query: DocumentQuery,
        by client: RateLimits.Key,
        since: Timestamp,
        end: @escaping @Sendable () -> Void
    ) {
        let isWaiting = waiters.withLock { waiters in
            waiters.add(Waiter(client: client, query: query, since: since, end: end))
        }
        guard isWaiting else { return end() }
        // A snapshot with the data may have been published before the waiter was added.
        check()
    }

    /// Ends waits that timed out or whose data is in the newest snapshot.
    private func check() {
        let snapshot = latest.value
        let ended = waiters.withLock { waiters in
            if waiters.all.isEmpty { return [Waiter]() }
            // Many requests wait for the same data: each query is checked once.
            var ready: [DocumentQuery: Bool] = [:]
            func isOver(_ waiter: Waiter) -> Bool {
                if snapshot.capturedAt.isAtLeast(DocumentQuery.patience, after: waiter.since) {
                    return true
                }
                if let known = ready[waiter.query] { return known }
                let isReady = waiter.query.isReady(in: snapshot.board)
                ready[waiter.query] = isReady
                return isReady
            }
            return waiters.remove(where: isOver)
        }
        for waiter in ended { waiter.end() }
    }
}
