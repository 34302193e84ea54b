import DataSourceContracts
import Domain
import ExchangeSimulator
import TestSupport
import UseCases

/// Compares the stored alerts of the users with the prices of the exchange and their changes, and
/// with the bounds of turnovers and of changes over half an hour: none is missing, false or double.
struct AlertsObserver {
    /// A version of a rule; the note tells versions of one number apart.
    private struct Version: Hashable {
        var id: AlertRuleID
        var text: String
    }

    private let stores: TrialStores
    private var trails: [MarketID: MarketTrails] = [:]
    private var rules: [WatchedRule] = []
    private var places: [Version: Int] = [:]
    private var bounds: [MarketID: MarketBounds] = [:]
    private var boundedRules: [BoundedRule] = []
    private var boundedPlaces: [Version: Int] = [:]
    /// The number of the newest alert that was read, by user.
    private var logged: [UserID: Int64] = [:]
    private var calm: CalmTime

    init(_ stores: TrialStores, _ exchange: SteppedSimulator, from start: Timestamp) {
        self.stores = stores
        calm = CalmTime(since: start)
        for market in AlertDeeds.markets {
            trails[market] = MarketTrails(market, exchange, at: start)
            bounds[market] = MarketBounds(market)
        }
    }

    /// Records the trades of the exchange.
    mutating func record(_ exchange: SteppedSimulator) {
        for market in AlertDeeds.markets {
            let trades = trails[market]?.record(exchange) ?? []
            bounds[market]?.record(trades)
        }
    }

    /// Records the bounds of a second.
    mutating func recordBounds(_ exchange: SteppedSimulator, at now: Timestamp) {
        for market in AlertDeeds.markets { bounds[market]?.look(exchange, at: now) }
    }

    /// The value that a deed is made at; nil without a trade.
    func value(for deed: Int) -> FixedDecimal? {
        let (market, signal) = (AlertDeeds.market(deed), AlertDeeds.signal(deed))
        return trails[market]?.trail(of: signal)?.points.last?.value
            ?? bounds[market]?.trails[signal]?.points.last?.usual.upperBound
    }

    /// Begins a fault.
    mutating func begin(
        _ fault: ProgramFault,
        at now: Timestamp,
        isLeftOut: (MarketID) -> Bool,
        into report: inout ProgramReport
    ) {
        if fault.isDisturbing, calm.settled(at: now) != nil {
            look(at: now, isExact: false, isLeftOut: isLeftOut, into: &report)
            for index in rules.indices { rules[index].endCalm(at: now) }
            for index in boundedRules.indices { boundedRules[index].endCalm() }
        }
        calm.begin(fault)
    }

    /// Ends a fault.
    mutating func end(_ fault: ProgramFault, at now: Timestamp) { calm.end(fault, at: now) }

    /// Compares the alerts that were stored since the last call.
    ///
    /// - Parameters:
    ///   - now: exchange time.
    ///   - isExact: whether no message was ever lost without a trace.
    ///   - repeatsTrades: whether a trade may have been counted twice.
    ///   - isLeftOut: whether an instance may leave a market out.
    ///   - report: counts and failures.
    mutating func look(
        at now: Timestamp,
        isExact: Bool,
        repeatsTrades: Bool = false,
        isLeftOut: (MarketID) -> Bool,
        into report: inout ProgramReport
    ) {
        for index in rules.indices { rules[index].isKept = false }
        for index in boundedRules.indices { boundedRules[index].isKept = false }
        for user in stores.ids {
            let rows = stores.users.alertRows(of: user.number, after: logged[user] ?? 0)
            for row in rows.rules { note(row, of: user, at: now) }
            for row in rows.log {
                if row.number != (logged[user] ?? 0) + 1 {
                    report.fail("the log of \(user) goes on with \(row.number)")
                }
                logged[user] = row.number
                apply(row, of: user, isExact, into: &report)
            }
        }
        let calm = calm.settled(at: now)
        for index in rules.indices {
            let market = rules[index].market
            guard let trail = trails[market]?.trail(of: rules[index].signal) else { continue }
            let calm = isLeftOut(market) ? nil : calm
            rules[index].follow(trail, calm: calm, now, into: &report)
        }
        for index in boundedRules.indices {
            let rule = boundedRules[index]
            guard let trail = bounds[rule.market]?.trails[rule.signal] else { continue }
            boundedRules[index].follow(
                trail,
                isExact: isExact && !repeatsTrades,
                calm: isLeftOut(rule.market) ? nil : calm,
                now,
                into: &report
            )
        }
    }

    private mutating func note(_ row: AlertRuleDTO, of user: UserID, at now: Timestamp) {
        let version = Version(id: AlertRuleID(row.number, of: user), text: row.text)
        if let place = places[version] { return rules[place].isKept = true }
        if let place = boundedPlaces[version] { return boundedRules[place].isKept = true }
        guard let rule = try? AlertRule.parse(row.text, feed: .simulated) else { return }
        let found = (rule: rule, createdAt: Timestamp(microseconds: row.createdAt))
        if let bounded = BoundedRule(found, text: row.text, at: now) {
            boundedPlaces[version] = boundedRules.count
            boundedRules.append(bounded)
        } else if let watched = WatchedRule(found, text: row.text, at: now) {
            places[version] = rules.count
            rules.append(watched)
        }
    }

    private mutating func apply(
        _ row: AlertLogDTO,
        of user: UserID,
        _ isExact: Bool,
        into report: inout ProgramReport
    ) {
        let id = AlertRuleID(row.alert.rule, of: user)
        let version = Version(id: id, text: row.text)
        let (place, boundedPlace) = (places[version], boundedPlaces[version])
        // A rule that lived for less than a second was never seen.
        guard
            let market = place.map({ rules[$0].market })
                ?? boundedPlace.map({ boundedRules[$0].market })
        else { return report.check("alert of a short rule") }
        guard let value = try? FixedDecimal(parsing: row.alert.value) else {
            return report.fail("the value \(row.alert.value) is no number")
        }
        let alert = Alert(
            rule: id,
            subject: AlertSubject(market),
            at: Timestamp(microseconds: row.alert.at),
            value: value,
            direction: row.alert.isRise ? .up : .down,
            lateness: row.alert.lateness.flatMap(Alert.Lateness.init(rawValue:))
        )
        if row.alert.market != market.name {
            report.fail("'\(row.text)' fired for \(row.alert.market ?? "a portfolio")")
        }
        if let boundedPlace { boundedRules[boundedPlace].apply(alert, into: &report) }
        if let place, let trail = trails[market]?.trail(of: rules[place].signal) {
            rules[place].apply(alert, trail, isExact, into: &report)
        }
    }
}
