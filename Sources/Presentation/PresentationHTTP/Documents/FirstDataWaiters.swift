import Domain
import UseCases
import ViewStates
import Synchronization

/// Readers whose first question of a market waits until there is something to answer.
///
/// They are looked at whenever a cut is made, which is at least once a second. The rule is
/// ``DocumentQuery/isSettled(in:)``; nobody waits longer than ``DocumentQuery/patience`` by the
/// time of the cuts, however little comes.
final class FirstDataWaiters: Sendable {
    /// How many may wait at a time; when full, the next one is answered at once.
    static let waitersMax = 512

    private struct Waiter {
        let query: DocumentQuery
        let since: Timestamp
        let end: @Sendable () -> Void
    }

    private let latest: SnapshotPublisher
    private let waiters = Mutex<[Waiter]>([])

    /// Nobody waits yet.
    init(latest: SnapshotPublisher) {
        self.latest = latest
        latest.onChange { [weak self] in self?.look() }
    }

    /// How many wait.
    var count: Int { waiters.withLock { $0.count } }

    /// Calls `end` once when waiting is over: perhaps at once, else on the thread that cuts.
    ///
    /// - Parameters:
    ///   - query: what waits for its data.
    ///   - since: the time of the cut in which they were not.
    ///   - end: is called once.
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
        // The cut that settles it may have been made before anybody could be told.
        look()
    }

    /// Ends the waits that the newest cut ends.
    private func look() {
        let cut = latest.value
        let over = waiters.withLock { waiters in
            if waiters.isEmpty { return [Waiter]() }
            // Many wait for the same: each question is looked into once.
            var settled: [DocumentQuery: Bool] = [:]
            func isOver(_ waiter: Waiter) -> Bool {
                if cut.capturedAt.isAtLeast(DocumentQuery.patience, after: waiter.since) {
                    return true
                }
                if let known = settled[waiter.query] { return known }
                let isSettled = waiter.query.isSettled(in: cut.board)
                settled[waiter.query] = isSettled
                return isSettled
            }
            let over = waiters.filter(isOver)
            if !over.isEmpty { waiters.removeAll(where: isOver) }
            return over
        }
        for waiter in over { waiter.end() }
    }
}
