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
    var positions: [AlertRuleID: Int] = [:]
    private var positionsByOwner: [UserID: Set<Int>] = [:]
    private var freePositions: [Int] = []
    private var favorites: [UserID: Set<MarketID>] = [:]
    /// The firings before ``replaceFirings(by:)`` of rules with hysteresis: more is known of them
    /// than stores keep.
    var replaced: [AlertRuleID: [AlertSubject: AlertState]] = [:]
    /// The values that were restored, of which firings may not have been saved.
    var restored: [AlertGaugeKey: FixedDecimal] = [:]
    /// When the rules with hysteresis that fired at the newest event had been armed again.
    var armings: [Alert: Timestamp] = [:]
    /// Since when the value before was not known, of the alerts of the newest event whose crossing
    /// has no known time.
    var unknownSince: [Alert: Timestamp] = [:]
    /// The rules that fired at trades of the run that is being read again.
    var firedInRun: Set<AlertRuleID> = []
    /// The rules that trades of this run have armed, with the directions.
    var armedInRun: [AlertRuleID: Set<Alert.Direction>] = [:]
    /// The signals of which a value may have armed a rule before it fired: the next one decides.
    var doubtfulArmings: Set<AlertGaugeKey> = []
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
        restored = stored.gauges.mapValues(\.value)
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
        // A rule that was changed since has not fired.
        state.fired[id] = state.fired[id]?.filter { $0.value.firedAt > createdAt }
        if state.fired[id]?.isEmpty ?? false { state.fired[id] = nil }
        catchUp(with: slot)
        addToIndexes(position)
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

    func isWatched(_ key: AlertGaugeKey) -> Bool {
        indexes[key]?.isEmpty == false || sharedIndexes[key.signal]?.isEmpty == false
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

    mutating func addToIndexes(_ position: Int) {
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

    mutating func removeFromIndexes(_ position: Int) {
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
