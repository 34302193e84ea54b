/// All rules of a process: applies events and returns the alerts that they fire.
///
/// A pure value: every time comes with an event, in exchange time.
///
/// **Crossing.** A rule compares two consecutive values of its signal. `>` fires when the value
/// before was below the level and the new one is at the level or above; `<` the other way round;
/// `<>` on both; a band fires when the value before was within it, limits included, and the new one
/// is not. Several trades in one batch are several events, so a crossing inside a batch counts.
///
/// **Creation.** Only values after the creation fire. A rule whose condition is already true waits
/// until it was false. The value at the creation must be known: if the feed was interrupted then,
/// the first value after it is only compared with.
///
/// **Interruptions.** The first value after an interruption or a restart is compared with the last
/// one before it, and an alert is marked with the reason. Stored values are compared with, but
/// never fire; stale ones are ignored. Trades that are read again fire with their true time, but
/// never at or before the newest firing of the same rule and subject; one that ends a gap which
/// stays fires as the first value after an interruption does, unless the rule fired in the gap.
///
/// **Day change.** The change since midnight is 0 at 00:00 in Seoul. The jump to it never fires;
/// values of the new day are compared with 0.
///
/// **Feeds.** A book has one kind of feed. Rules made on another kind are kept, but never fire.
/// Once a source identifies another kind of data, it needs a book of its own.
///
/// **Cost.** Values are kept once for each signal, and levels are sorted. A value costs a look-up
/// and the levels between it and the one before.
public struct AlertBook: Sendable {
    /// A rule and what follows from it.
    struct Slot: Sendable {
        var id: AlertRuleID
        var createdAt: Timestamp
        var rule: AlertRule
        var triggers: [AlertTrigger]
    }

    /// Values and states of rules, to be stored and restored.
    ///
    /// States of rules belong into the transaction that writes the alert. Values may be older.
    public internal(set) var state: AlertBookState
    /// Rules by position; nil where one was removed.
    var slots: [Slot?] = []
    private var positions: [AlertRuleID: Int] = [:]
    private var positionsByOwner: [UserID: Set<Int>] = [:]
    private var freePositions: [Int] = []
    private var favorites: [UserID: Set<MarketID>] = [:]
    /// The firings before ``replaceFirings(by:)`` of rules with hysteresis: more is known of them
    /// than stores keep.
    private var replaced: [AlertRuleID: [AlertSubject: AlertState]] = [:]
    /// When the rules with hysteresis that fired at the newest event had been armed again.
    var armings: [Alert: Timestamp] = [:]
    /// Since when the value before was not known, of the alerts of the newest event whose crossing
    /// has no known time.
    var unknownSince: [Alert: Timestamp] = [:]
    /// The rules that fired at trades of the run that is being read again.
    var firedInRun: Set<AlertRuleID> = []
    /// Rules of single subjects.
    var indexes: [AlertGaugeKey: AlertTriggerIndex] = [:]
    /// Rules of all markets.
    var sharedIndexes: [AlertSignal: AlertTriggerIndex] = [:]

    /// A book without rules.
    public init(feed: FeedKind) { state = AlertBookState(feed: feed) }

    /// A book that continues from a stored state: its values are those before an absence.
    ///
    /// The values of another kind of feed are not used.
    public init(feed: FeedKind, restoring stored: AlertBookState) {
        self.init(feed: feed)
        guard stored.feed == feed else { return }
        state = stored
        state.restart()
    }

    /// Number of rules.
    public var count: Int { positions.count }

    /// Adds a rule, or replaces the one with the same id and forgets its firings.
    ///
    /// A restored state keeps the firings of rules that are added for the first time.
    ///
    /// - Parameters:
    ///   - rule: a valid rule.
    ///   - id: its id, with the user whose favorites and holdings count.
    ///   - createdAt: exchange time of its creation or last change.
    public mutating func add(
        _ rule: AlertRule,
        id: AlertRuleID,
        createdAt: Timestamp
    ) {
        if positions[id] != nil { remove(id) }
        let slot = Slot(
            id: id,
            createdAt: createdAt,
            rule: rule,
            triggers: rule.triggers
        )
        let position = freePositions.popLast() ?? slots.count
        if position == slots.count { slots.append(slot) } else { slots[position] = slot }
        positions[id] = position
        positionsByOwner[id.owner, default: []].insert(position)
        catchUp(with: slot)
        addToIndexes(position)
    }

    /// Corrects values that are older than the firings of a restored rule.
    ///
    /// A process that ends abruptly has kept its alerts, but not its last values. What was already
    /// told would cross again.
    private mutating func catchUp(with slot: Slot) {
        guard slot.rule.feed == state.feed, let fired = state.fired[slot.id] else { return }
        for (subject, firing) in fired {
            let key = AlertGaugeKey(signal: slot.rule.signal, subject: subject)
            var gauge =
                state.gauges[key]
                ?? AlertGauge(
                    value: firing.value,
                    at: firing.firedAt,
                    source: .listing,
                    knownUntil: firing.firedAt,
                    loss: .away
                )
            gauge.catchUp(with: firing)
            state.gauges[key] = gauge
        }
    }

    /// Removes a rule and forgets its firings.
    public mutating func remove(_ id: AlertRuleID) {
        guard let position = positions.removeValue(forKey: id) else { return }
        removeFromIndexes(position)
        slots[position] = nil
        positionsByOwner[id.owner]?.remove(position)
        freePositions.append(position)
        state.fired[id] = nil
    }

    /// Takes firings that another process stored, where they are newer than those known here.
    public mutating func catchUp(with states: [AlertSubject: AlertState], of id: AlertRuleID) {
        guard let position = positions[id], let slot = slots[position] else { return }
        let known = state.fired[id] ?? [:]
        let newer = states.filter { subject, stored in
            known[subject].map { stored.firedAt > $0.firedAt } ?? true
        }
        guard !newer.isEmpty else { return }
        removeFromIndexes(position)
        for (subject, stored) in newer {
            state.fired[id, default: [:]][subject] = rearmed(stored, of: slot, subject)
        }
        catchUp(with: slot)
        addToIndexes(position)
    }

    /// Sets the firings of all rules.
    ///
    /// Stores learn of a firing, not of the values after it: what is known here of these stays.
    public mutating func replaceFirings(by fired: [AlertRuleID: [AlertSubject: AlertState]]) {
        indexes = [:]
        sharedIndexes = [:]
        replaced = state.fired.filter { id, _ in hasHysteresis(id) }
        var known: [AlertRuleID: [AlertSubject: AlertState]] = [:]
        for (id, states) in fired {
            guard let position = positions[id], let slot = slots[position] else { continue }
            for (subject, stored) in states {
                known[id, default: [:]][subject] = rearmed(stored, of: slot, subject)
            }
        }
        state.fired = known
        for position in slots.indices { addToIndexes(position) }
    }

    /// A stored firing, with what is known here of the values after it.
    private func rearmed(
        _ stored: AlertState,
        of slot: Slot,
        _ subject: AlertSubject
    ) -> AlertState {
        if let own = state.fired[slot.id]?[subject], own.firedAt == stored.firedAt { return own }
        let key = AlertGaugeKey(signal: slot.rule.signal, subject: subject)
        guard slot.rule.hasHysteresis, let gauge = state.gauges[key], gauge.at > stored.firedAt
        else { return stored }
        var stored = stored
        for trigger in slot.triggers
        where stored[trigger.direction] == nil && trigger.isRearmed(by: gauge.value) {
            stored[trigger.direction] = gauge.at
        }
        return stored
    }

    /// Forgets values that nothing follows any more: they would be compared with much later ones.
    mutating func forgetUnwatched() {
        state.gauges = state.gauges.filter { key, _ in
            key.signal == .price || key.signal == .listed || isWatched(key)
        }
    }

    /// The last value of a signal with its time; nil without one.
    func last(
        _ signal: AlertSignal,
        of subject: AlertSubject
    ) -> AlertGauge? {
        state.gauges[AlertGaugeKey(signal: signal, subject: subject)]
    }

    /// The last value of a signal with its time; nil unless it is the current one.
    func current(
        _ signal: AlertSignal,
        of subject: AlertSubject
    ) -> AlertGauge? {
        last(signal, of: subject).flatMap { $0.knownUntil == nil ? $0 : nil }
    }

    /// Notes that values of a signal later than a time, or than the last one, are not told.
    mutating func lose(_ signal: AlertSignal, of subject: AlertSubject, at time: Timestamp?) {
        let key = AlertGaugeKey(signal: signal, subject: subject)
        state.gauges[key]?.lose(at: time, .interrupted)
    }

    /// Whether one more value may be kept: always of a signal that a rule watches.
    ///
    /// Without room, a new rule of such a market waits for its second value.
    func hasRoom(for key: AlertGaugeKey) -> Bool {
        state.gauges.count < AlertLimits.gaugesMax || isWatched(key)
    }

    private func isWatched(_ key: AlertGaugeKey) -> Bool {
        indexes[key]?.isEmpty == false || sharedIndexes[key.signal]?.isEmpty == false
    }

    /// Takes an alert that was found before ``replaceFirings(by:)``.
    ///
    /// - Returns: false if the rule is gone or changed, or may not have fired then.
    public mutating func apply(_ found: FiredAlert) -> Bool {
        let id = found.alert.rule
        guard let position = positions[id], let slot = slots[position],
            slot.createdAt == found.createdAt
        else { return false }
        if let last = state.fired[id]?[found.alert.subject] {
            // The process that fired it knew more of the time before.
            if let since = found.unknownSince, last.firedAt > since { return false }
            let armed = found.arming(last)
            guard slot.rule.mayFire(again: found.alert.direction, at: found.alert.at, after: armed)
            else { return false }
            if let difference = slot.rule.signal.timeDifferenceMax, last.value == found.alert.value,
                found.alert.at.duration(since: last.firedAt) <= difference
            {
                return false
            }
        }
        let own = replaced[id]?[found.alert.subject]
        removeFromIndexes(position)
        state.fired[id, default: [:]][found.alert.subject] =
            own?.firedAt == found.alert.at ? own : found.state
        addToIndexes(position)
        return true
    }

    /// Takes back a firing that the process which stores alerts did not store.
    ///
    /// - Parameters:
    ///   - found: the firing.
    ///   - stored: the rule's newest stored firing; nil without one.
    /// - Returns: false if it was stored, or is no longer the rule's newest firing.
    mutating func withdraw(_ found: FiredAlert, stored: AlertState?) -> Bool {
        let (id, subject) = (found.alert.rule, found.alert.subject)
        guard let position = positions[id], let slot = slots[position],
            slot.createdAt == found.createdAt,
            state.fired[id]?[subject]?.firedAt == found.alert.at, stored?.firedAt != found.alert.at
        else { return false }
        removeFromIndexes(position)
        let newest = stored.map { found.arming(rearmed($0, of: slot, subject)) }
        state.fired[id]?[subject] = newest
        if state.fired[id]?.isEmpty ?? false { state.fired[id] = nil }
        addToIndexes(position)
        return true
    }

    /// An alert with its rule's creation and state; nil if the rule is gone.
    func fired(_ alert: Alert) -> FiredAlert? {
        guard let position = positions[alert.rule], let slot = slots[position],
            let fired = state.fired[alert.rule]?[alert.subject]
        else { return nil }
        return FiredAlert(
            alert: alert,
            createdAt: slot.createdAt,
            state: fired,
            unknownSince: unknownSince[alert],
            armedAt: armings[alert]
        )
    }

    /// The values of signals that rules watch, to be saved.
    public var watchedValues: AlertBookState {
        var values = state
        // Only of these rules more is known than stores keep with an alert.
        values.fired = state.fired.filter { id, _ in hasHysteresis(id) }
        values.gauges = state.gauges.filter { key, _ in isWatched(key) }
        return values
    }

    private func hasHysteresis(_ id: AlertRuleID) -> Bool {
        positions[id].flatMap { slots[$0] }?.rule.hasHysteresis ?? false
    }

    /// The signals of single subjects that rules watch.
    var watchedKeys: Dictionary<AlertGaugeKey, AlertTriggerIndex>.Keys {
        indexes.filter { !$0.value.isEmpty }.keys
    }

    /// The signals that rules of all markets watch.
    var sharedSignals: Set<AlertSignal> { Set(sharedIndexes.filter { !$0.value.isEmpty }.keys) }

    /// Sets the favorites of a user.
    public mutating func setFavorites(_ markets: Set<MarketID>, of owner: UserID) {
        guard favorites[owner, default: []] != markets else { return }
        let affected = positionsByOwner[owner, default: []].filter {
            slots[$0]?.rule.scope == .favorites
        }
        for position in affected { removeFromIndexes(position) }
        favorites[owner] = markets
        for position in affected { addToIndexes(position) }
    }

    /// Applies an event.
    ///
    /// - Returns: the alerts, in order of time, then of rules.
    public mutating func apply(_ event: AlertEvent) -> [Alert] {
        var alerts: [Alert] = []
        if !armings.isEmpty { armings = [:] }
        if !unknownSince.isEmpty { unknownSince = [:] }
        switch event {
        case .observed(let observation): observe(observation, &alerts)
        case .repaired(let market, let points): repair(market, points, &alerts)
        case .listed(let quote, let markets, let at): list(quote, markets, at: at, &alerts)
        case .interrupted: interrupt()
        }
        return alerts
    }

    private mutating func interrupt() {
        let until = state.liveUntil
        for key in state.gauges.keys { state.gauges[key]?.lose(at: until, .interrupted) }
        for quote in state.listings.keys { state.listings[quote]?.lose(at: until, .interrupted) }
    }

    // MARK: Indexes

    private func keys(of slot: Slot) -> [AlertGaugeKey] {
        let signal = slot.rule.signal
        let subjects: Set<AlertSubject> =
            switch slot.rule.scope {
            case .market(let market): [AlertSubject(signal, of: market, owner: slot.id.owner)]
            case .portfolio: [AlertSubject(portfolioOf: slot.id.owner)]
            case .favorites:
                Set(
                    favorites[slot.id.owner, default: []].map {
                        AlertSubject(signal, of: $0, owner: slot.id.owner)
                    }
                )
            case .all: []
            }
        return subjects.map { AlertGaugeKey(signal: signal, subject: $0) }
    }

    private mutating func addToIndexes(_ position: Int) {
        guard let slot = slots[position], slot.rule.feed == state.feed else { return }
        // A rule that fires once and has fired for its only subject is done.
        if isDone(slot) { return }
        let hasHysteresis = slot.rule.hasHysteresis
        for trigger in slot.triggers {
            if slot.rule.scope == .all {
                sharedIndexes[slot.rule.signal, default: AlertTriggerIndex()]
                    .add(trigger, slot: position, hasHysteresis: hasHysteresis)
            }
            for key in keys(of: slot) {
                indexes[key, default: AlertTriggerIndex()]
                    .add(trigger, slot: position, hasHysteresis: hasHysteresis)
            }
        }
    }

    private mutating func removeFromIndexes(_ position: Int) {
        guard let slot = slots[position], slot.rule.feed == state.feed else { return }
        if slot.rule.scope == .all {
            sharedIndexes[slot.rule.signal]?.removeAll { $0 == position }
        }
        for key in keys(of: slot) { indexes[key]?.removeAll { $0 == position } }
    }

    /// Whether a rule can no longer fire.
    func isDone(_ slot: Slot) -> Bool {
        slot.rule.scope.hasOneSubject && slot.rule.repetition == .once
            && state.fired[slot.id] != nil
    }
}
