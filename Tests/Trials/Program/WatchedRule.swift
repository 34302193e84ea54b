import Domain

/// One version of a user's alert rule, with the alerts that it fired and those that it owes.
struct WatchedRule {
    /// A stored alert, with its places in the trail of its signal.
    struct Firing {
        var alert: Alert
        var places: ClosedRange<Int>
    }

    /// A crossing in calm that has to be told.
    private struct Crossing {
        var place: Int
        var direction: Alert.Direction
        /// When the value was last beyond the hysteresis on the other side.
        var armedAt: Timestamp?
        /// The calm time that it belongs to.
        var calm: Timestamp
    }

    /// The values on one side, as far as they are known.
    private struct Side {
        let values: AlertSide
        /// When the value was beyond the hysteresis on the other side: the last time that a process
        /// which crashes has saved, and the times since.
        var armedTimes: [Timestamp] = []
        /// Since when the level has not been reached in this calm time; nil while it is.
        var outsideSince: Timestamp?
        /// Since when it has been reached in this calm time; nil while it is not.
        var insideSince: Timestamp?
        /// The end of an earlier calm time in which it was not reached for long.
        var outsideBefore: Timestamp?

        /// Notes a value beyond the hysteresis.
        mutating func arm(at time: Timestamp) {
            let savedAt = time.advanced(by: .zero - WatchedRule.saving)
            let saved = armedTimes.lastIndex { $0 <= savedAt } ?? 0
            armedTimes.removeFirst(saved)
            armedTimes.append(time)
        }
    }

    let market: MarketID
    let signal: AlertSignal
    let text: String
    let rule: AlertRule
    private let createdAt: Timestamp
    /// Since when all instances know it.
    private let knownAt: Timestamp
    /// Whether the user still has it.
    var isKept = true
    private var sides: [Side]
    private var firings: [Firing] = []
    /// The first value that was not compared yet; nil before the first look.
    private var next: Int?
    private var crossings: [Crossing] = []

    /// A changed rule is read within a second.
    private static let reading: Duration = .seconds(2)
    /// Values are saved each ten seconds, for the comparison after a crash.
    private static let saving: Duration = .seconds(12)
    /// Alerts are found and stored at once while everything works.
    private static let storing: Duration = .seconds(5)
    /// Times of trades have milliseconds on one stream and microseconds on the other.
    private static let streamPrecision: Duration = .milliseconds(3)
    /// Past trades of API 1.x have times of whole seconds, as has a listing.
    private static let restPrecision: Duration = .seconds(2)

    /// The closes of the day before are read at 00:00:01; until then no change is known.
    private static let dayBeginning: Duration = .seconds(15)

    /// Watches a rule whose row was just found; nil for one that is not on a market.
    init?(_ row: (rule: AlertRule, createdAt: Timestamp), text: String, at now: Timestamp) {
        guard case .market(let market) = row.rule.scope else { return nil }
        self.market = market
        signal = row.rule.signal
        self.text = text
        rule = row.rule
        createdAt = row.createdAt
        knownAt = max(row.createdAt, now).advanced(by: Self.reading)
        sides = AlertSide.sides(of: row.rule, market.quote).map { Side(values: $0) }
    }

    // MARK: Alerts that are stored

    /// Compares a stored alert with the values and with the alerts before.
    mutating func apply(
        _ alert: Alert,
        _ trail: SignalTrail,
        _ isExact: Bool,
        into report: inout ProgramReport
    ) {
        report.check("alert of the \(signal == .price ? "price" : "change") is true")
        report.check("alert \(alert.lateness?.rawValue ?? "in time")")
        func fail(_ reason: String) {
            report.fail("'\(text)' of \(createdAt) \(reason): \(Self.text(alert))")
        }
        let side = sides.first { $0.values.direction == alert.direction }
        guard let side, side.values.isReached(by: alert.value) else {
            return fail("fired without its condition")
        }
        let tolerance = alert.lateness == nil ? Self.streamPrecision : Self.restPrecision
        let found =
            trail.places(of: alert.value, about: alert.at, within: tolerance)
            ?? trail.places(of: alert.value, about: alert.at, within: Self.restPrecision)
        guard let found else { return fail("fired for a value of another time") }
        if alert.at <= createdAt { fail("fired before it was made") }
        checkRepetition(alert, side.values, trail, found, isExact, fail)
        // Without the last trade before it was made the value of then is another one.
        if isExact, firings.isEmpty {
            report.check("alert is of a later change")
            let start = trail.last(notAfter: createdAt) ?? 0
            let wasOutside = trail.points[start...max(start, found.upperBound)]
                .contains { !side.values.isReached(by: $0.value) }
            if !wasOutside { fail("fired though the value was there since it was made") }
        }
        if isExact, alert.lateness == nil {
            report.check("alert in time is at its crossing")
            let isAtCrossing = found.contains { place in
                place > 0 && trail.points[place].value == alert.value
                    && !side.values.isReached(by: trail.points[place - 1].value)
            }
            if !isAtCrossing {
                fail("fired in time where nothing crossed, among \(trail.text(about: found))")
            }
        }
        firings.append(Firing(alert: alert, places: found))
    }

    private func checkRepetition(
        _ alert: Alert,
        _ side: AlertSide,
        _ trail: SignalTrail,
        _ found: ClosedRange<Int>,
        _ isExact: Bool,
        _ fail: (String) -> Void
    ) {
        guard let last = firings.last else { return }
        guard case .again(let pause, _) = rule.repetition else {
            return fail("fired again after \(Self.text(last.alert))")
        }
        if alert.at <= last.alert.at || alert.at.duration(since: last.alert.at) < pause {
            fail("fired within its pause after \(Self.text(last.alert))")
        }
        var places = min(last.places.lowerBound, found.upperBound)...found.upperBound
        if !isExact {
            // Trades of one millisecond may have changed their order on the way.
            let (before, after) = (.zero - Self.streamPrecision, Self.streamPrecision)
            let first = trail.last(notAfter: last.alert.at.advanced(by: before)) ?? 0
            let end = trail.last(notAfter: alert.at.advanced(by: after)) ?? 0
            places = min(first, places.lowerBound)...max(end, places.upperBound)
        }
        let wasArmed = trail.points[places].contains { side.isArmed(by: $0.value) }
        if !wasArmed {
            fail(
                "fired twice for one crossing, before as \(Self.text(last.alert)), "
                    + "among \(trail.text(about: places))"
            )
        }
    }

    // MARK: Alerts that are missing

    /// Reads the values since the last call, and looks whether alerts are missing.
    ///
    /// - Parameters:
    ///   - trail: the values of the signal.
    ///   - calm: since when everything works; nil while it may not.
    ///   - now: exchange time.
    ///   - report: counts and failures.
    mutating func follow(
        _ trail: SignalTrail,
        calm: Timestamp?,
        _ now: Timestamp,
        into report: inout ProgramReport
    ) {
        let points = trail.points
        let first = next ?? max(trail.last(notAfter: createdAt) ?? 0, 1)
        for place in first..<max(points.count, first) {
            for index in sides.indices { read(place, index, points, calm) }
        }
        next = max(points.count, first)
        guard isKept, let calm else { return crossings = [] }
        checkCrossings(points, calm, now, into: &report)
        for index in sides.indices { checkAfterFaults(index, now, into: &report) }
    }

    private mutating func read(
        _ place: Int,
        _ index: Int,
        _ points: [SignalTrail.Point],
        _ calm: Timestamp?
    ) {
        let (point, values) = (points[place], sides[index].values)
        let isReached = values.isReached(by: point.value)
        let isSettled = self.isSettled(point.at, calm)
        let before = points[place - 1]
        if signal != .price, SeoulTime(before.at).day < SeoulTime(point.at).day {
            // The jump to zero tells nothing.
            sides[index].outsideSince = nil
            sides[index].insideSince = nil
            sides[index].outsideBefore = nil
        }
        if let calm, isSettled, isReached, !values.isReached(by: before.value),
            self.isSettled(before.at, calm)
        {
            crossings.append(
                Crossing(
                    place: place,
                    direction: values.direction,
                    armedAt: sides[index].armedTimes.last,
                    calm: calm
                )
            )
        }
        guard isSettled else { return }
        // A value while hoga was away may have armed the rule, which nobody saw.
        if values.isArmed(by: point.value) { sides[index].arm(at: point.at) }
        if isReached {
            sides[index].outsideSince = nil
            sides[index].insideSince = sides[index].insideSince ?? point.at
        } else {
            sides[index].insideSince = nil
            sides[index].outsideBefore = nil
            if sides[index].outsideSince == nil, values.isArmed(by: point.value) {
                sides[index].outsideSince = point.at
            }
        }
    }

    /// Whether everything worked then, and the rule and its signal were known.
    private func isSettled(_ time: Timestamp, _ calm: Timestamp?) -> Bool {
        guard let calm, max(calm, knownAt) <= time else { return false }
        let start = SeoulTime.startOfDay(SeoulTime(time).day)
        return signal == .price || time.duration(since: start) >= Self.dayBeginning
    }

    /// Ends a calm time, in which an alert may become due that is told after the next faults.
    mutating func endCalm(at now: Timestamp) {
        let savedAt = now.advanced(by: .zero - Self.saving)
        for index in sides.indices {
            // A process that ends abruptly forgets what it has not saved.
            sides[index].armedTimes.removeAll { $0 > savedAt }
            let start = sides[index].outsideSince
            if let start, start.advanced(by: Self.saving) <= now {
                sides[index].outsideBefore = now
            } else if sides[index].insideSince != nil || start != nil {
                sides[index].outsideBefore = nil
            }
            sides[index].outsideSince = nil
            sides[index].insideSince = nil
        }
    }

    private mutating func checkCrossings(
        _ points: [SignalTrail.Point],
        _ calm: Timestamp,
        _ now: Timestamp,
        into report: inout ProgramReport
    ) {
        while let due = crossings.first {
            let at = points[due.place].at
            guard at.advanced(by: Self.storing) <= now else { return }
            crossings.removeFirst()
            guard due.calm == calm else { continue }
            if isTold(at, due.direction) {
                report.check("crossing in calm is told")
            } else if mayFire(at, armedAt: due.armedAt) {
                report.fail(
                    "'\(text)' of \(createdAt) does not tell \(points[due.place].value) at \(at); "
                        + "before: \(firings.last.map { Self.text($0.alert) } ?? "nothing")"
                )
            } else {
                report.check("crossing in calm is withheld")
            }
        }
    }

    /// Whether an alert tells a crossing that happened while everything worked.
    private func isTold(_ time: Timestamp, _ direction: Alert.Direction) -> Bool {
        for firing in firings.reversed() {
            let difference = firing.alert.at.duration(since: time)
            if difference < .zero - Self.restPrecision { return false }
            let precision =
                firing.alert.lateness == nil ? Self.streamPrecision : Self.restPrecision
            if firing.alert.direction == direction, difference <= precision,
                difference >= .zero - precision
            {
                return true
            }
        }
        return false
    }

    /// Whether the alerts before leave no reason not to fire.
    private func mayFire(_ time: Timestamp, armedAt: Timestamp?) -> Bool {
        let last = firings.last { $0.alert.at <= time.advanced(by: Self.streamPrecision) }
        guard let last else { return rule.repetition != .once || firings.isEmpty }
        guard case .again(let pause, let ticks) = rule.repetition else { return false }
        let precision = last.alert.lateness == nil ? Self.streamPrecision : Self.restPrecision
        guard time.duration(since: last.alert.at) >= pause + precision else { return false }
        return ticks == 0 || armedAt.map { $0 > last.alert.at.advanced(by: precision) } ?? false
    }

    /// A level that was not reached before faults, and is reached after them, is told.
    private mutating func checkAfterFaults(
        _ index: Int,
        _ now: Timestamp,
        into report: inout ProgramReport
    ) {
        guard let before = sides[index].outsideBefore, let inside = sides[index].insideSince,
            inside.advanced(by: Self.storing) <= now
        else { return }
        sides[index].outsideBefore = nil
        let direction = sides[index].values.direction
        let since = before.advanced(by: .zero - Self.restPrecision)
        let isTold = firings.contains { $0.alert.at >= since && $0.alert.direction == direction }
        if isTold { return report.check("crossing beside faults is told") }
        let isWithheld =
            switch rule.repetition {
            case .once: !firings.isEmpty
            case .again(let pause, _):
                firings.last.map { $0.alert.at.advanced(by: pause) >= since } ?? false
            }
        if isWithheld { return report.check("crossing beside faults is withheld") }
        report.fail(
            "'\(text)' of \(createdAt) was not reached at \(before), is since \(inside) and was "
                + "not told; before: \(firings.last.map { Self.text($0.alert) } ?? "nothing")"
        )
    }

    private static func text(_ alert: Alert) -> String {
        "\(alert.value) \(alert.direction) at \(alert.at) \(alert.lateness?.rawValue ?? "in time")"
    }
}
