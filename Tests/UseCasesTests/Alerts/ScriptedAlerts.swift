import Concurrency
import Domain
import Synchronization

/// Alert rules and a log that a test reads and fails.
final class ScriptedAlerts: AlertRepository {
    struct State {
        var owners: [UserID: AlertOwner] = [:]
        var changed: Set<UserID>?
        var term: Int64?
        var isLedByAnother = false
        var failure: StoreFailure?
        var ownersFailure: StoreFailure?
        /// Alerts at these prices are refused.
        var refused: Set<FixedDecimal> = []
        var stored: [FiredAlert] = []
        var saved: [AlertBookState] = []
        var values: AlertBookState?
        var readings = 0
        var valueReadings = 0
    }

    private let state = Mutex(State())
    private let terms = AsyncValue(Int64.zero)

    func change(_ change: (inout State) -> Void) {
        let term = state.withLock { state in
            change(&state)
            return state.term
        }
        if let term { terms.update { $0 = term } }
    }

    var now: State { state.withLock(\.self) }

    func term(of feed: FeedKind) -> Int64? { state.withLock(\.term) }

    func isLedByAnother(_ feed: FeedKind) -> Bool { state.withLock(\.isLedByAnother) }

    func forEachTerm(_ body: () -> Void) async {
        var last: Int64 = 0
        while let term = await terms.first(where: { [last] in $0 > last }) {
            last = term
            body()
        }
    }

    func owners(_ users: [UserID]?, feed: FeedKind) async throws(StoreFailure) -> [AlertOwner] {
        try check()
        if let failure = state.withLock(\.ownersFailure) { throw failure }
        return state.withLock { state in
            state.readings += 1
            let all = state.owners.values.map { owner in
                var owner = owner
                owner.rules = owner.rules.filter { $0.rule.feed == feed }
                return owner
            }
            guard let users else { return all.sorted { $0.id.number < $1.id.number } }
            return users.map { user in all.first { $0.id == user } ?? AlertOwner(id: user) }
        }
    }

    func changedUsers() async throws(StoreFailure) -> [UserID]? {
        try check()
        return state.withLock { state in
            defer { state.changed = [] }
            return state.changed.map(Array.init)
        }
    }

    func values(of feed: FeedKind) async throws(StoreFailure) -> AlertBookState? {
        try check()
        return state.withLock { state in
            state.valueReadings += 1
            return state.values.flatMap { $0.feed == feed ? $0 : nil }
        }
    }

    func store(_ alerts: [FiredAlert], feed: FeedKind) async throws(StoreFailure) {
        try check()
        let isRefused = state.withLock { state in
            guard !alerts.contains(where: { state.refused.contains($0.alert.value) }) else {
                return true
            }
            for fired in alerts where !state.stored.contains(where: { $0.alert == fired.alert }) {
                state.stored.append(fired)
                let (id, subject) = (fired.alert.rule, fired.alert.subject)
                state.owners[id.owner]?.fired[id.number, default: [:]][subject] = fired.state
            }
            return false
        }
        if isRefused { throw StoreFailure(.refused, "the row is invalid") }
    }

    func save(_ values: AlertBookState) async throws(StoreFailure) {
        try check()
        state.withLock { $0.saved.append(values) }
    }

    private func check() throws(StoreFailure) {
        if let failure = state.withLock(\.failure) { throw failure }
    }
}
