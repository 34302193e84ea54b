public import DataSourceContracts
public import Domain
import Synchronization

/// Alert rules and alerts in a store, written under the lease of an election.
///
/// Unreadable rules, which a newer program may have written, do not fire.
public final class StoredAlertRepository: AlertRepository {
    private let source: any AlertStoreSource
    private let election: LeaderElection
    private let webhooks: any WebhookStoreSource
    private let now: @Sendable () -> Timestamp
    private let mark = Mutex<String?>(nil)
    /// The users with rules; nil if the election has other reasons too.
    private let ruleOwners: Mutex<Set<UserID>?>

    /// Makes a repository over a store.
    ///
    /// - Parameters:
    ///   - source: holds the rows.
    ///   - webhooks: holds the alerts that wait for delivery.
    ///   - election: decides whether this process writes.
    ///   - leadsForRulesAlone: whether the lease is requested only while there are rules or
    ///     deliveries that wait, so that nothing is written without any.
    ///   - now: the local wall clock, for rows of the log.
    public init(
        source: any AlertStoreSource,
        webhooks: any WebhookStoreSource,
        election: LeaderElection,
        leadsForRulesAlone: Bool,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.source = source
        self.webhooks = webhooks
        self.election = election
        self.now = now
        ruleOwners = Mutex(leadsForRulesAlone ? [] : nil)
        if leadsForRulesAlone { election.want(false) }
    }

    /// The epoch of the feed's lease while it is certainly held.
    public func term(of feed: FeedKind) -> Int64? { lease(of: feed)?.epoch }

    /// Whether another process holds the lease, according to the store.
    public func isLedByAnother(_ feed: FeedKind) -> Bool { election.isFollowing }

    /// Calls `body` whenever the lease is acquired.
    public func forEachTerm(_ body: () -> Void) async { await election.forEachTerm(body) }

    /// Reads the users with rules.
    public func owners(
        _ users: [UserID]?,
        feed: FeedKind
    ) async throws(StoreFailure) -> [AlertOwner] {
        let rows: [AlertOwnerDTO]
        var hasDeliveries = false
        do throws(StoreError) {
            rows = try await source.alertOwners(users?.map(\.number), feed: feed.rawValue)
            if ruleOwners.withLock({ $0 != nil }) {
                let waiting = try await webhooks.webhookDeliveries(
                    of: nil,
                    feed: feed.rawValue,
                    at: now().microseconds
                )
                hasDeliveries = !waiting.isEmpty
            }
        } catch {
            throw StoreFailure(error)
        }
        let owners = rows.map { Self.owner($0, feed) }
        noteRules(of: owners, among: users, hasDeliveries: hasDeliveries)
        let known = Set(owners.map(\.id))
        // A user without rules has no row.
        return owners + (users ?? []).filter { !known.contains($0) }.map { AlertOwner(id: $0) }
    }

    /// Reads whose records changed since the last call.
    public func changedUsers() async throws(StoreFailure) -> [UserID]? {
        let last = mark.withLock(\.self)
        do throws(StoreError) {
            let changes = try await source.alertChanges(after: last)
            mark.withLock { $0 = changes.mark }
            return last == nil ? nil : changes.users.map(UserID.init)
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Reads the values that were saved last; nil if there are none or they are unreadable.
    public func values(of feed: FeedKind) async throws(StoreFailure) -> AlertBookState? {
        do throws(StoreError) {
            return AlertBookState(lines: try await source.alertValues(feed: feed.rawValue))
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Stores alerts under the lease.
    public func store(_ alerts: [FiredAlert], feed: FeedKind) async throws(StoreFailure) {
        let rows = alerts.map(Self.row)
        try await lead(feed) { [source, now] lease throws(StoreError) in
            _ = try await source.storeAlerts(rows, at: now().microseconds, under: lease)
        }
    }

    /// Saves values under the lease.
    public func save(_ values: AlertBookState) async throws(StoreFailure) {
        try await lead(values.feed) { [source] lease throws(StoreError) in
            try await source.saveAlertValues(values.lines, under: lease)
        }
    }

    private func noteRules(
        of owners: [AlertOwner],
        among users: [UserID]?,
        hasDeliveries: Bool
    ) {
        let isWanted = ruleOwners.withLock { known -> Bool? in
            guard known != nil else { return nil }
            if let users { known?.subtract(users) } else { known = [] }
            known?.formUnion(owners.filter { !$0.rules.isEmpty }.map(\.id))
            return known?.isEmpty == false || hasDeliveries
        }
        if let isWanted { election.want(isWanted) }
    }

    private func lease(of feed: FeedKind) -> LeaseDTO? {
        election.lease.flatMap { $0.feed == feed.rawValue ? $0 : nil }
    }

    private func lead(
        _ feed: FeedKind,
        _ body: (LeaseDTO) async throws(StoreError) -> Void
    ) async throws(StoreFailure) {
        guard let lease = lease(of: feed) else {
            throw StoreFailure(.busy, "alerts: another process stores them")
        }
        do throws(StoreError) {
            try await body(lease)
        } catch {
            if error.code == .fenced { election.noteFenced(lease) }
            throw StoreFailure(error)
        }
    }
}

// MARK: Mapping

extension StoredAlertRepository {
    private static func owner(_ row: AlertOwnerDTO, _ feed: FeedKind) -> AlertOwner {
        let id = UserID(row.user)
        let record = UserRecordMapping.record(row.record, of: id).record
        let rules = record.alerts.value.rules.filter { $0.rule.feed == feed }
        let signals = Dictionary(rules.map { ($0.number, $0.rule.signal) }) { _, last in last }
        var fired: [Int64: [AlertSubject: AlertState]] = [:]
        for state in row.states {
            guard let signal = signals[state.rule],
                let subject = UserAlertsMapping.subject(state.market, of: signal, id),
                let known = AlertState(text: state.text)
            else { continue }
            fired[state.rule, default: [:]][subject] = known
        }
        return AlertOwner(
            id: id,
            rules: rules,
            fired: fired,
            favorites: Set(record.favorites.value),
            holdings: record.holdings.value,
            cash: record.cash.value
        )
    }

    private static func row(_ fired: FiredAlert) -> NewAlertDTO {
        let alert = fired.alert
        return NewAlertDTO(
            user: alert.rule.owner.number,
            alert: AlertDTO(
                rule: alert.rule.number,
                market: alert.subject.market?.name,
                at: alert.at.microseconds,
                value: alert.value.canonicalText,
                isRise: alert.direction == .up,
                lateness: alert.lateness?.rawValue
            ),
            createdAt: fired.createdAt.microseconds,
            state: fired.state.text
        )
    }
}
