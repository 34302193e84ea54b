extension AlertBook {
    /// A step of a signal from one value to the next.
    private struct Move {
        var key: AlertGaugeKey
        /// The value before; nil if it is unknown, so that nothing fires.
        var old: FixedDecimal?
        var new: FixedDecimal
        var at: Timestamp
        /// Until when the value before is known to have been the current one; nil for ``at``.
        var knownUntil: Timestamp?
        var lateness: Alert.Lateness?
        /// The end of the trades that were read again, of which the step is one; nil for the
        /// newest value.
        var runEnd: Timestamp?
    }

    /// Compares a value with the one before.
    mutating func observe(_ observation: AlertObservation, _ alerts: inout [Alert]) {
        guard !observation.isStale else { return }
        let key = AlertGaugeKey(signal: observation.signal, subject: observation.subject)
        guard observation.source != .store else {
            keepStored(observation, key)
            return
        }
        let (value, at) = (observation.value, observation.at)
        if observation.tellsStream { state.liveUntil = max(state.liveUntil ?? at, at) }
        guard var gauge = state.gauges[key] else {
            guard hasRoom(for: key) else { return }
            state.gauges[key] = AlertGauge(observation, knownUntil: nil)
            evaluate(Move(key: key, old: nil, new: value, at: at), &alerts)
            return
        }
        guard gauge.isReplaced(by: value, at: at, observation.source) else {
            if gauge.mayBeOlder(than: value, at: at, observation.source) {
                state.gauges[key]?.lose(at: nil, .interrupted)
            }
            // Trades that arrive late were before a listing that is known already.
            if gauge.valueBefore != nil, observation.source == .trade {
                state.gauges[key]?.valueBefore = value
            }
            return
        }
        beginDay(of: at, &gauge, key, &alerts)
        let move = Move(
            key: key,
            old: gauge.base(of: value, at: at),
            new: value,
            at: at,
            knownUntil: gauge.knownUntil,
            lateness: gauge.knownUntil == nil ? nil : gauge.loss
        )
        gauge.follow(observation)
        state.gauges[key] = gauge
        evaluate(move, &alerts)
    }

    /// Keeps a stored value until a live one, if none is known.
    private mutating func keepStored(_ observation: AlertObservation, _ key: AlertGaugeKey) {
        guard state.gauges[key] == nil, hasRoom(for: key) else { return }
        var gauge = AlertGauge(observation, knownUntil: observation.at)
        gauge.loss = .away
        state.gauges[key] = gauge
    }

    /// Sets the change since midnight to zero at the beginning of a day.
    private mutating func beginDay(
        of at: Timestamp,
        _ gauge: inout AlertGauge,
        _ key: AlertGaugeKey,
        _ alerts: inout [Alert]
    ) {
        guard key.signal == .change(.midnight) else { return }
        let start = SeoulTime.startOfDay(SeoulTime(at).day)
        guard gauge.at < start else { return }
        gauge.value = .zero
        gauge.at = start
        gauge.knownUntil = gauge.knownUntil.map { max($0, start) }
        evaluate(Move(key: key, old: nil, new: .zero, at: start), &alerts)
    }

    /// Compares trades that were read again, one by one.
    mutating func repair(
        _ market: MarketID,
        _ points: [AlertPricePoint],
        _ alerts: inout [Alert]
    ) {
        guard let first = points.first else { return }
        let key = AlertGaugeKey(signal: .price, subject: AlertSubject(market))
        var at = first.at
        let end = points.reduce(at) { max($0, $1.at) }
        // Values of the first moment are those before the loss.
        var stretch: AlertGauge.Stretch?
        firedInRun = []
        armedInRun = [:]
        evaluate(Move(key: key, old: nil, new: first.price, at: at, runEnd: end), &alerts)
        for (before, point) in zip(points, points.dropFirst()) {
            // Times of REST may be truncated to the second, but the order is right.
            let knownUntil = point.isAfterGap ? at : nil
            at = max(at, point.at)
            if first.at.isMillisecond(before: at) {
                stretch = stretch ?? AlertGauge.Stretch(of: point.price, from: at)
                stretch?.widen(to: point.price)
            }
            let move = Move(
                key: key,
                old: before.price,
                new: point.price,
                at: at,
                knownUntil: knownUntil,
                lateness: point.isAfterGap ? .interrupted : .repaired,
                runEnd: end
            )
            evaluate(move, &alerts)
        }
        keep(points, at: at, stretch, key)
    }

    /// Keeps the newest of the trades that were read again, if no later value is known.
    private mutating func keep(
        _ points: [AlertPricePoint],
        at: Timestamp,
        _ stretch: AlertGauge.Stretch?,
        _ key: AlertGaugeKey
    ) {
        guard let last = points.last else { return }
        var gauge =
            state.gauges[key]
            ?? AlertGauge(value: last.price, at: at, source: .trade, knownUntil: at)
        // Of two trades of one time, the later one of the run is the newer one.
        let isReplaced =
            gauge.source == .store || gauge.isReplaced(by: last.price, at: at, .trade)
        if isReplaced && at >= gauge.at || points.isLastAfterListing(gauge) {
            gauge.value = last.price
            gauge.isOfFiring = false
            gauge.at = at
            gauge.source = .trade
            gauge.isTradeTime = false
            gauge.knownUntil = gauge.knownUntil.map { max($0, at) }
            state.liveUntil = max(state.liveUntil ?? at, at)
        } else if gauge.valueBefore != nil {
            gauge.valueBefore = last.price
        }
        if let stretch { gauge.add(stretch) }
        state.gauges[key] = gauge
    }

    /// Compares the markets of a listing with those of the one before.
    mutating func list(
        _ quote: Quote,
        _ markets: Set<MarketID>,
        at: Timestamp,
        _ alerts: inout [Alert]
    ) {
        let before = state.listings[quote]
        if let before, at < before.at { return }
        let known = state.gauges.filter { key, gauge in
            key.signal == .listed && key.subject.market?.quote == quote && gauge.value == .one
        }
        let gone = known.keys.compactMap(\.subject.market).filter { !markets.contains($0) }
        for market in (Array(markets) + gone).sorted() {
            let subject = AlertSubject(market)
            let key = AlertGaugeKey(signal: .listed, subject: subject)
            if state.gauges[key] == nil, hasRoom(for: key), var absent = before {
                absent.value = .zero
                state.gauges[key] = absent
            }
            let isListed = markets.contains(market)
            observe(AlertObservation(.listed, of: subject, isOn: isListed, at: at), &alerts)
        }
        state.listings[quote] = AlertGauge(value: .one, at: at, source: .ticker, knownUntil: nil)
    }

    // MARK: A move

    private mutating func evaluate(_ move: Move, _ alerts: inout [Alert]) {
        rearm(move)
        guard let old = move.old, old != move.new else { return }
        var reached: [Int] = []
        let (key, signal) = (move.key, move.key.signal)
        indexes[key]?.fired(from: old.units, to: move.new.units, &reached)
        if !sharedIndexes.isEmpty {
            sharedIndexes[signal]?.fired(from: old.units, to: move.new.units, &reached)
        }
        guard !reached.isEmpty else { return }
        let start = alerts.count
        var done: Set<Int> = []
        for position in reached {
            guard let slot = slots[position], let alert = fire(slot, move) else { continue }
            alerts.append(alert)
            if isDone(slot) { done.insert(position) }
        }
        alerts[start...].sort { $0.rule < $1.rule }
        if !done.isEmpty { indexes[key]?.removeAll { done.contains($0) } }
    }

    /// Marks rules that have fired and whose signal is now beyond the hysteresis.
    private mutating func rearm(_ move: Move) {
        let (key, signal) = (move.key, move.key.signal)
        let isNeeded =
            !(indexes[key]?.isWithoutHysteresis ?? true)
            || !(sharedIndexes[signal]?.isWithoutHysteresis ?? true)
        guard isNeeded else { return }
        // After a time without values any rule may have been beyond its hysteresis since.
        let isKnown = move.knownUntil == nil && doubtfulArmings.remove(key) == nil
        let old = isKnown ? move.old?.units : nil
        let new = move.new.units
        for direction in Alert.Direction.allCases {
            var reached: [Int] = []
            indexes[key]?.rearmed(from: old, to: new, for: direction, &reached)
            sharedIndexes[signal]?.rearmed(from: old, to: new, for: direction, &reached)
            for position in reached {
                guard let id = slots[position]?.id,
                    var fired = state.fired[id]?[key.subject], move.at >= fired.firedAt
                else { continue }
                // A run that is read again has trades of the firing's moment from before it, too.
                let isDoubtful =
                    fired.mayBeBefore(move.at)
                    || (move.runEnd != nil && move.at == fired.firedAt)
                if isDoubtful, move.runEnd == nil || !firedInRun.contains(id) {
                    doubtfulArmings.insert(key)
                    continue
                }
                fired.arm(direction, at: move.at)
                state.fired[id]?[key.subject] = fired
                if move.runEnd != nil { armedInRun[id, default: []].insert(direction) }
            }
        }
    }

    /// Fires a rule whose level a move reaches, if nothing forbids it.
    private mutating func fire(_ slot: Slot, _ move: Move) -> Alert? {
        guard let old = move.old else { return nil }
        let direction: Alert.Direction = move.new > old ? .up : .down
        guard slot.createdAt < move.at, slot.createdAt <= move.knownUntil ?? move.at,
            slot.rule.expiresAt.map({ move.at < $0 }) ?? true
        else { return nil }
        if let fired = state.fired[slot.id]?[move.key.subject] {
            // Of a crossing in an unknown time, a firing in that time may be of the same one.
            if let since = move.knownUntil {
                if fired.firedAt > since { return nil }
                // Of the values of one moment another one may be the later.
                let isReached = slot.triggers.isReached(direction, by: fired.value)
                if fired.firedAt == since, fired.isRounded, isReached { return nil }
            }
            // Of a trade and an arming in one moment, a run that has both tells the order.
            let isOrdered = move.runEnd == nil || armedInRun[slot.id]?.contains(direction) ?? false
            guard
                slot.rule.mayFire(
                    again: direction,
                    at: move.at,
                    after: fired,
                    isAfterArming: isOrdered
                )
            else { return nil }
            // Another source may have told the crossing, with its own time.
            let isTold = fired.mayTell(crossingAt: move.at, isReadAgain: move.runEnd != nil)
            if isTold, slot.triggers.isReached(direction, by: fired.value) { return nil }
        }
        let armedAt = state.fired[slot.id]?[move.key.subject]?[direction]
        var fired = AlertState(firedAt: move.at, value: move.new)
        let second = TradeHistory.Resolution.second.start(of: move.at)
        fired.isRounded = move.lateness != nil && move.at == second
        if slot.rule.hasHysteresis {
            // The rest of the run follows.
            let later = move.runEnd.flatMap { end in
                state.gauges[move.key]?.stretches.filter { $0.follows(end) }
            }
            for trigger in slot.triggers {
                fired[trigger.direction] = trigger.rearmTime(
                    of: move.new,
                    at: move.at,
                    later: later ?? []
                )
            }
        }
        state.fired[slot.id, default: [:]][move.key.subject] = fired
        if move.runEnd != nil { firedInRun.insert(slot.id) }
        let alert = Alert(
            rule: slot.id,
            subject: move.key.subject,
            at: move.at,
            value: move.new,
            direction: direction,
            lateness: move.lateness
        )
        if let armedAt { armings[alert] = armedAt }
        if let since = move.knownUntil { unknownSince[alert] = since }
        return alert
    }
}

extension [AlertPricePoint] {
    /// Whether the last trade, of which only the second is known, came after a listing in it: the
    /// listing tells the price of a trade before, and all trades since are of that second.
    fileprivate func isLastAfterListing(_ gauge: AlertGauge) -> Bool {
        guard let last, last.isOfSecond, gauge.source == .listing, !gauge.isTradeTime,
            let told = lastIndex(where: { $0.price == gauge.value }), told + 1 < count
        else { return false }
        return self[told + 1].at.second == gauge.at.second && last.at.second == gauge.at.second
    }
}

extension AlertRule {
    /// Whether a rule that has fired may fire again.
    ///
    /// - Parameters:
    ///   - direction: of the crossing.
    ///   - at: its time.
    ///   - fired: the firing before.
    ///   - isAfterArming: whether it is the later one if the rule was armed at the same time.
    /// - Returns: whether it may.
    func mayFire(
        again direction: Alert.Direction,
        at: Timestamp,
        after fired: AlertState,
        isAfterArming: Bool = true
    ) -> Bool {
        guard case .again(let pause, let ticks) = repetition, at > fired.firedAt,
            at.duration(since: fired.firedAt) >= pause
        else { return false }
        if ticks == 0 { return true }
        if fired.isArmed(direction, before: at) { return true }
        return isAfterArming && fired[direction].map { $0 <= at } ?? false
    }
}

extension AlertTrigger {
    /// When a rule may fire again that fires now; nil if that is not known yet.
    fileprivate func rearmTime(
        of value: FixedDecimal,
        at: Timestamp,
        later stretches: [AlertGauge.Stretch]
    ) -> Timestamp? {
        if isRearmed(by: value) { return at }
        return stretches.lazy
            .filter { isRearmed(by: direction == .up ? $0.low : $0.high) }
            // A crossing is later than the value that arms the rule, which may be the first one.
            .map { $0.start.advanced(by: .microseconds(1)) }.min()
    }
}
