/// Firings that stores keep, and the values of signals that are saved beside them.
extension AlertBook {
    /// Corrects values that are older than the firings of a restored rule.
    ///
    /// A process that ends abruptly has kept its alerts, but not its last values. What was already
    /// told would cross again.
    ///
    /// - Parameters:
    ///   - slot: the rule.
    ///   - news: the subjects whose values were saved without the firing, so that a restored one of
    ///     the same moment is from before it.
    mutating func catchUp(with slot: Slot, newsOf news: Set<AlertSubject> = []) {
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
            gauge.catchUp(
                with: firing,
                slot.triggers.direction(of: firing.value),
                since: news.contains(subject) ? restored[key] : nil
            )
            let isLost = gauge.knownUntil != nil && current(key.signal, of: subject) != nil
            state.gauges[key] = gauge
            // The trades that tell a price have not arrived here, nor are the changes known.
            guard isLost, key.signal == .price else { continue }
            for signal in AlertSignal.ofTrades { lose(signal, of: subject, at: nil) }
        }
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
        catchUp(with: slot, newsOf: Set(newer.keys))
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
        if var own = state.fired[slot.id]?[subject], own.isSame(as: stored, of: slot.triggers) {
            if own.firedAt != stored.firedAt { own.isRounded = true }
            own.firedAt = stored.firedAt
            return own
        }
        let key = AlertGaugeKey(signal: slot.rule.signal, subject: subject)
        var stored = stored
        stored.isRounded = true
        guard slot.rule.hasHysteresis, let gauge = state.gauges[key], stored.isBefore(gauge.at)
        else { return stored }
        for trigger in slot.triggers
        where stored[trigger.direction] == nil && trigger.isRearmed(by: gauge.value) {
            stored[trigger.direction] = gauge.at
        }
        return stored
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
            if slot.rule.signal.mayBeSame(found.alert, as: last) { return false }
            // REST or a frame may have told it in whole seconds.
            let start = TradeHistory.Resolution.second.start(of: found.alert.at)
            let direction = found.alert.direction
            if slot.rule.signal == .price, last.firedAt == start,
                slot.triggers.isReached(direction, by: last.value)
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

    /// Whether a firing found here is stored, or a later one, or values were saved that are later
    /// than it, or the rule is gone.
    ///
    /// - Parameters:
    ///   - found: the firing.
    ///   - stored: the rule's newest stored firing; nil without one.
    ///   - values: the values that were saved last; nil if they are not known.
    /// - Returns: whether the firing need not wait for the process that stores alerts any longer.
    func isDecided(
        _ found: FiredAlert,
        stored: AlertState?,
        knowing values: AlertBookState?
    ) -> Bool {
        guard let position = positions[found.alert.rule], let slot = slots[position],
            slot.createdAt == found.createdAt
        else { return true }
        if let stored {
            if stored.firedAt >= found.alert.at { return true }
            if slot.rule.repetition == .once { return true }
            if stored.isSame(as: found.state, of: slot.triggers) { return true }
            if slot.rule.signal.mayBeSame(found.alert, as: stored) { return true }
        }
        let key = AlertGaugeKey(signal: slot.rule.signal, subject: found.alert.subject)
        return values?.knows(key, after: found.alert.at) ?? false
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
            state.fired[id]?[subject]?.firedAt == found.alert.at,
            stored.map({ !$0.isSame(as: found.state, of: slot.triggers) }) ?? true
        else { return false }
        removeFromIndexes(position)
        let newest = stored.map { found.arming(rearmed($0, of: slot, subject)) }
        state.fired[id]?[subject] = newest
        if state.fired[id]?.isEmpty ?? false { state.fired[id] = nil }
        addToIndexes(position)
        return true
    }

    /// The values of signals that rules watch, to be saved.
    public var watchedValues: AlertBookState {
        var values = state
        values.gauges = state.gauges.filter { key, _ in isWatched(key) }
        values.fired = [:]
        for (id, states) in state.fired {
            guard let position = positions[id], let rule = slots[position]?.rule else { continue }
            // Stores keep firings with their alerts. They do not know whether a rule was beyond its
            // hysteresis since, nor whether the value of a firing's moment is the one before it.
            values.fired[id] = states.filter { subject, firing in
                rule.hasHysteresis
                    || last(rule.signal, of: subject).map { $0.at == firing.firedAt } ?? false
            }
        }
        values.fired = values.fired.filter { !$0.value.isEmpty }
        return values
    }

    private func hasHysteresis(_ id: AlertRuleID) -> Bool {
        positions[id].flatMap { slots[$0] }?.rule.hasHysteresis ?? false
    }
}
