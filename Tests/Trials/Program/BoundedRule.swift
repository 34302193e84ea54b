import Domain

/// One version of a user's alert rule on a signal of which only bounds are known, with the alerts
/// that it fired and those that it owes.
struct BoundedRule {
    /// A crossing in calm that has to be told.
    private struct Crossing {
        /// From when the value was certainly outside to when it was certainly at the level.
        var span: ClosedRange<Timestamp>
        var direction: Alert.Direction
        /// The calm time that it belongs to.
        var calm: Timestamp
    }

    private struct Side {
        let values: AlertSide
        /// When the value was last so far outside that the rule may fire, in this calm time.
        var outsideAt: Timestamp?
    }

    let market: MarketID
    let signal: AlertSignal
    private let text: String
    private let rule: AlertRule
    private let createdAt: Timestamp
    /// Since when all instances know it, and its values.
    private let knownAt: Timestamp
    /// Whether the user still has it.
    var isKept = true
    private var sides: [Side]
    private var firings: [Alert] = []
    /// The alerts whose time has no bounds yet.
    private var unchecked: [Alert] = []
    private var crossings: [Crossing] = []
    /// The first point that was not looked at yet.
    private var next: Timestamp

    /// How far a time of an alert may be from the exchange's.
    private static let precision: Duration = .seconds(3)
    /// Alerts are found and stored at once while everything works.
    private static let storing: Duration = .seconds(8)

    /// Watches a rule whose row was just found; nil for one whose signal has no bounds.
    init?(_ row: (rule: AlertRule, createdAt: Timestamp), text: String, at now: Timestamp) {
        guard case .market(let market) = row.rule.scope,
            MarketBounds.signals.contains(row.rule.signal)
        else { return nil }
        self.market = market
        signal = row.rule.signal
        self.text = text
        rule = row.rule
        createdAt = row.createdAt
        knownAt = max(row.createdAt, now)
        next = row.createdAt
        sides = AlertSide.sides(of: row.rule, market.quote).map { Side(values: $0) }
    }

    /// How long after its beginning a calm time, or a rule, has values: turnovers are known when
    /// whole minutes have been followed, changes when their bases have been read.
    private var warmup: Duration {
        if case .turnover(let minutes) = signal { return .seconds(60 * (minutes + 1) + 10) }
        return .seconds(45)
    }

    private func fail(_ reason: String, _ report: inout ProgramReport) {
        report.fail("'\(text)' of \(createdAt) \(reason)")
    }

    // MARK: Alerts that are stored

    /// Takes a stored alert.
    mutating func apply(_ alert: Alert, into report: inout ProgramReport) {
        report.check("alert of bounds \(alert.lateness?.rawValue ?? "in time")")
        let side = sides.first { $0.values.direction == alert.direction }
        if side?.values.isReached(by: alert.value) != true {
            fail("fired without its condition: \(Self.text(alert))", &report)
        }
        if alert.at <= createdAt { fail("fired before it was made: \(Self.text(alert))", &report) }
        if let last = firings.last {
            if case .again(let pause, _) = rule.repetition {
                if alert.at.duration(since: last.at) < pause {
                    fail("fired within its pause: \(Self.text(last)), \(Self.text(alert))", &report)
                }
            } else {
                fail("fired again: \(Self.text(last)), \(Self.text(alert))", &report)
            }
        }
        firings.append(alert)
        unchecked.append(alert)
    }

    /// Compares an alert with the bounds of its time.
    private func check(_ alert: Alert, _ trail: BoundedTrail, into report: inout ProgramReport) {
        let near = Self.precision
        let about = alert.at.advanced(by: .zero - near)...alert.at.advanced(by: near)
        let points = trail.points(about)
        guard let low = points.map(\.possible.lowerBound).min(),
            let high = points.map(\.possible.upperBound).max()
        else { return }
        report.check("alert of \(Self.name(signal)) is true")
        let error = Self.rounding
        if alert.value.units < low.units - error || alert.value.units > high.units + error {
            fail("fired for \(Self.text(alert)), not \(low) to \(high)", &report)
        }
        guard let side = sides.first(where: { $0.values.direction == alert.direction }) else {
            return
        }
        let before = firings.last { $0.at < alert.at }
        let start = (before?.at ?? createdAt).advanced(by: .zero - near)
        let since = trail.points(start...max(start, about.upperBound))
        guard let first = since.first, first.at.duration(since: start) <= near else { return }
        report.check("alert of \(Self.name(signal)) is of a later change")
        let wasOutside = since.contains { point in
            let value = Self.farthest(outside: alert.direction, point.possible)
            return before == nil
                ? !side.values.isReached(by: value) : side.values.isArmed(by: value)
        }
        if !wasOutside {
            fail(
                "fired though nothing crossed since \(start): \(Self.text(alert)), before: "
                    + "\(before.map(Self.text) ?? "nothing")",
                &report
            )
        }
    }

    // MARK: Alerts that are missing

    /// Looks at the bounds since the last call.
    ///
    /// - Parameters:
    ///   - trail: the bounds of the signal.
    ///   - isExact: whether no message was ever lost without a trace, or counted twice.
    ///   - calm: since when everything works; nil while it may not.
    ///   - now: exchange time.
    ///   - report: counts and failures.
    mutating func follow(
        _ trail: BoundedTrail,
        isExact: Bool,
        calm: Timestamp?,
        _ now: Timestamp,
        into report: inout ProgramReport
    ) {
        guard let newest = trail.points.last?.at else { return }
        while let alert = unchecked.first,
            alert.at.advanced(by: Self.precision) < newest
        {
            unchecked.removeFirst()
            // Every value lacks the trades that were lost without a trace.
            if isExact { check(alert, trail, into: &report) }
        }
        guard isExact, isKept, let calm else { return endCalm(next: newest) }
        let start = max(calm, knownAt).advanced(by: warmup)
        for point in trail.points(next...max(next, newest)) where point.at >= start {
            for index in sides.indices { look(at: point, index, calm) }
        }
        next = newest.advanced(by: .microseconds(1))
        checkCrossings(calm, now, into: &report)
    }

    /// Ends a calm time.
    mutating func endCalm() { endCalm(next: next) }

    private mutating func endCalm(next: Timestamp) {
        self.next = max(self.next, next)
        crossings = []
        for index in sides.indices { sides[index].outsideAt = nil }
    }

    private mutating func look(at point: BoundedTrail.Point, _ index: Int, _ calm: Timestamp) {
        let values = sides[index].values
        let inside = Self.farthest(outside: values.direction, point.usual)
        let outside = values.direction == .up ? point.usual.upperBound : point.usual.lowerBound
        if values.isArmed(by: outside) {
            sides[index].outsideAt = point.at
        } else if let outsideAt = sides[index].outsideAt, values.isReached(by: inside) {
            let crossing = Crossing(
                span: outsideAt...point.at,
                direction: values.direction,
                calm: calm
            )
            crossings.append(crossing)
            sides[index].outsideAt = nil
        }
    }

    private mutating func checkCrossings(
        _ calm: Timestamp,
        _ now: Timestamp,
        into report: inout ProgramReport
    ) {
        while let due = crossings.first, due.span.upperBound.advanced(by: Self.storing) <= now {
            crossings.removeFirst()
            guard due.calm == calm else { continue }
            let start = due.span.lowerBound.advanced(by: .zero - Self.precision)
            let end = due.span.upperBound.advanced(by: Self.storing)
            let isTold = firings.contains {
                $0.direction == due.direction && (start...end).contains($0.at)
            }
            if isTold {
                report.check("crossing of \(Self.name(signal)) is told")
            } else if isWithheld(start...end) {
                report.check("crossing of \(Self.name(signal)) is withheld")
            } else {
                fail(
                    "does not tell a crossing \(due.direction) in \(due.span); before: "
                        + "\(firings.last.map(Self.text) ?? "nothing")",
                    &report
                )
            }
        }
    }

    /// Whether an alert before is a reason not to fire in a span.
    private func isWithheld(_ span: ClosedRange<Timestamp>) -> Bool {
        let last = firings.last { $0.at <= span.upperBound }
        guard let last else { return rule.repetition == .once && !firings.isEmpty }
        guard case .again(let pause, _) = rule.repetition else { return true }
        return last.at.advanced(by: pause) >= span.lowerBound
    }

    // MARK: Text and values

    /// The end of bounds that is farthest from firing in a direction.
    private static func farthest(
        outside direction: Alert.Direction,
        _ bounds: ClosedRange<FixedDecimal>
    ) -> FixedDecimal {
        direction == .up ? bounds.lowerBound : bounds.upperBound
    }

    /// Bounds are rounded as values are, but not always at the same place.
    private static let rounding = FixedDecimal.unitsPerOne / 100

    private static func name(_ signal: AlertSignal) -> String {
        if case .turnover = signal { "turnover" } else { "change over a window" }
    }

    private static func text(_ alert: Alert) -> String {
        "\(alert.value) \(alert.direction) at \(alert.at) \(alert.lateness?.rawValue ?? "in time")"
    }
}
