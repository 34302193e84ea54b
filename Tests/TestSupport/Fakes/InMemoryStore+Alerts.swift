public import DataSourceContracts

/// Alert rules and alerts of a store that one process at a time evaluates.
extension InMemoryStore: AlertStoreSource {
    // MARK: The lease

    /// Acquires the lease of a feed if no other holder has it.
    public func takeLease(
        holder: String,
        feed: String,
        for duration: Duration
    ) async throws(StoreError) -> LeaseDTO? {
        let time = now()
        return try perform {
            $0.leases.take(holder: holder, feed: feed, for: duration, at: time)
        }
    }

    /// Renews a lease unless it is lost.
    public func renewLease(
        _ lease: LeaseDTO,
        for duration: Duration
    ) async throws(StoreError) -> Bool {
        let time = now()
        return try perform { $0.leases.renew(lease, for: duration, at: time) }
    }

    /// Gives a lease back if it is still held.
    public func releaseLease(_ lease: LeaseDTO) async throws(StoreError) {
        try perform { $0.leases.release(lease) }
    }

    /// The error of a call that needs a lease.
    public static let noLease = StoreError(.fenced, "the lease is not held")

    /// Checks that a lease is held.
    public func verify(_ lease: LeaseDTO) throws(StoreError) {
        let time = now()
        guard inspect({ $0.leases.isHeld(lease, at: time) }) else { throw Self.noLease }
    }

    /// Reads or changes what is kept, as the holder of a lease.
    private func perform<Value: Sendable>(
        holding lease: LeaseDTO,
        _ body: (inout State) -> Value
    ) throws(StoreError) -> Value {
        let time = now()
        return try perform { state throws(StoreError) in
            guard state.leases.isHeld(lease, at: time) else {
                throw Self.noLease
            }
            return body(&state)
        }
    }

    // MARK: Reading

    /// Reads the users with rules of a feed.
    public func alertOwners(
        _ users: [Int64]?,
        feed: String
    ) async throws(StoreError) -> [AlertOwnerDTO] {
        try perform { state in
            state.watching(feed).filter { users?.contains($0.number) ?? true }
                .map { number, user in
                    var record = user.record
                    record.alertLog = []
                    return AlertOwnerDTO(user: number, record: record, states: user.alerts.states)
                }
        }
    }

    /// Reads the markets whose books the rules need.
    public func alertBooks(feed: String) async throws(StoreError) -> [String] {
        try perform { state in
            let markets = state.watching(feed).flatMap { _, user in
                user.record.alertRules.filter { $0.feed == feed }.compactMap(\.books)
                    .flatMap { $0 == "favorites" ? user.record.favorites : [$0] }
            }
            return Set(markets).sorted()
        }
    }

    /// Reads which users changed.
    public func alertChanges(
        after mark: String?
    ) async throws(StoreError) -> (users: [Int64], mark: String) {
        try perform { state in
            let users = state.lastChanges.filter { user, change in
                guard let mark = mark.flatMap(Int64.init), change > mark else { return false }
                return state.users[user].map { $0.record.revisions.alerts > 0 } ?? true
            }
            return (users.keys.sorted(), "\(state.changeCount)")
        }
    }

    /// Reads a page of a user's log.
    public func alertLog(
        of user: Int64,
        before number: Int64?,
        count: Int
    ) async throws(StoreError) -> [AlertLogDTO] {
        try perform { state in
            let log = state.users[user]?.alerts.log ?? []
            return Array(
                log.reversed().filter { $0.number < number ?? .max }.prefix(max(0, count))
            )
        }
    }

    /// Reads the values that were saved last.
    public func alertValues(feed: String) async throws(StoreError) -> [String] {
        try perform { $0.alertValues[feed] ?? [] }
    }

    /// The rules of a user and the alerts behind a number, oldest first, even while calls fail.
    public func alertRows(
        of user: Int64,
        after number: Int64
    ) -> (rules: [AlertRuleDTO], log: ArraySlice<AlertLogDTO>) {
        inspect { state in
            guard let user = state.users[user] else { return ([], []) }
            let count = Int(user.alerts.loggedCount - number)
            return (user.record.alertRules, user.alerts.log.suffix(max(0, count)))
        }
    }

    // MARK: Writing

    /// Saves values.
    public func saveAlertValues(
        _ lines: [String],
        under lease: LeaseDTO
    ) async throws(StoreError) {
        try perform(holding: lease) { $0.alertValues[lease.feed] = lines }
    }

    /// Stores alerts.
    public func storeAlerts(
        _ alerts: [NewAlertDTO],
        at storedAt: Int64,
        under lease: LeaseDTO
    ) async throws(StoreError) -> Int {
        try perform(holding: lease) { state in
            var count = 0
            for (number, own) in Dictionary(grouping: alerts, by: \.user) {
                guard var user = state.users[number] else { continue }
                let stored = own.filter { user.store($0, feed: lease.feed, at: storedAt) }.count
                guard stored > 0 else { continue }
                user.record.revisions.alerts += 1
                user.changeCount += 1
                state.users[number] = user
                state.noteChange(of: number)
                count += stored
            }
            return count
        }
    }
}

extension InMemoryStore.State {
    /// The users with rules of a feed who are not disabled, by number.
    fileprivate func watching(_ feed: String) -> [(number: Int64, user: StoredUser)] {
        users.sorted { $0.key < $1.key }.map { (number: $0.key, user: $0.value) }
            .filter { _, user in
                !user.isDisabled && user.record.alertRules.contains { $0.feed == feed }
            }
    }
}

/// The alerts of a user.
struct StoredAlerts {
    /// What a state is of.
    private struct Subject: Hashable {
        var rule: Int64
        var market: String?
    }

    /// The log, oldest first.
    private(set) var log: [AlertLogDTO] = []
    /// The number of the newest alert ever logged.
    private(set) var loggedCount: Int64 = 0
    private var last: [Subject: (firedAt: Int64, state: String)] = [:]

    /// The states by rule and market.
    var states: [AlertStateDTO] {
        last.map { AlertStateDTO(rule: $0.key.rule, market: $0.key.market, text: $0.value.state) }
            .sorted { ($0.rule, $0.market ?? "") < ($1.rule, $1.market ?? "") }
    }

    /// Removes the states of a rule.
    mutating func forget(_ rule: Int64) { last = last.filter { $0.key.rule != rule } }

    /// Removes the oldest row beyond the bound.
    fileprivate mutating func trim() -> AlertLogDTO? {
        log.count > AlertLogDTO.storedRowsMax ? log.removeFirst() : nil
    }

    /// Logs an alert of a rule; false if it is not later than the last one.
    fileprivate mutating func append(
        _ new: NewAlertDTO,
        of rule: AlertRuleDTO,
        at storedAt: Int64
    ) -> Bool {
        let subject = Subject(rule: rule.number, market: new.alert.market)
        if let last = last[subject], last.firedAt >= new.alert.at { return false }
        last[subject] = (new.alert.at, new.state)
        loggedCount += 1
        // The alert that the rule fired before it was changed.
        log.removeAll { logged in
            let (old, new) = (logged.alert, new.alert)
            return (old.rule, old.market, old.at, old.isRise)
                == (new.rule, new.market, new.at, new.isRise)
        }
        log.append(
            AlertLogDTO(
                number: loggedCount,
                alert: new.alert,
                text: rule.text,
                feed: rule.feed,
                storedAt: storedAt
            )
        )
        return true
    }
}

extension StoredUser {
    /// Stores an alert; false if it is skipped.
    fileprivate mutating func store(
        _ new: NewAlertDTO,
        feed: String,
        at storedAt: Int64
    ) -> Bool {
        let place = record.alertRules.firstIndex {
            $0.number == new.alert.rule && $0.createdAt == new.createdAt && $0.feed == feed
        }
        guard let place, alerts.append(new, of: record.alertRules[place], at: storedAt) else {
            return false
        }
        if let gone = alerts.trim() { webhook?.drop(gone) }
        let firedAt = record.alertRules[place].firedAt
        record.alertRules[place].firedAt = max(firedAt ?? new.alert.at, new.alert.at)
        record.alertLog = alerts.log.suffix(AlertLogDTO.recordRowsMax).reversed()
        append(NewJournalDTO(at: storedAt, kind: "alert.fire", subject: "\(new.alert.rule)"))
        return true
    }
}
