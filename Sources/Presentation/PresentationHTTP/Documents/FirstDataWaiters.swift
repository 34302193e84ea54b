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
    static let waitersMax = 512

    private struct Waiter {
        let query: DocumentQuery
        let since: Timestamp
        let end: @Sendable () -> Void
    }

    private let latest: SnapshotPublisher
    private let waiters = Mutex<[Waiter]>([])

    init(latest: SnapshotPublisher) {
        self.latest = latest
        latest.onChange { [weak self] in self?.check() }
    }

    /// How many requests wait.
    var count: Int { waiters.withLock { $0.count } }

    /// Calls `end` once when the wait is over: at once, or on the thread that publishes snapshots.
    ///
    /// - Parameters:
    ///   - query: the request.
    ///   - since: the time of the snapshot that lacked its data.
    ///   - end: called once.
    func wait(
        for query: DocumentQuery,
        since: Timestamp,
        end: @escaping @Sendable () -> Void
    ) {
        let isWaiting = waiters.withLock { waiters in
            guard waiters.count < Self.waitersMax else { return false }
            waiters.append(Waiter(query: query, since: since, end: end))
            return true
        }
        guard isWaiting else { return end() }
        // A snapshot with the data may have been published before the waiter was added.
        check()
    }

    /// Ends waits that timed out or whose data is in the newest snapshot.
    private func check() {
        let snapshot = latest.value
        let ended = waiters.withLock { waiters in
            if waiters.isEmpty { return [Waiter]() }
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
            let ended = waiters.filter(isOver)
            if !ended.isEmpty { waiters.removeAll(where: isOver) }
            return ended
        }
        for waiter in ended { waiter.end() }
    }
}
