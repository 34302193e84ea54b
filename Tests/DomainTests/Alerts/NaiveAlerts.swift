import Domain
import TestSupport

/// Rules evaluated without an index: each event looks at each rule, and every value is kept.
struct NaiveAlerts {
    struct Watched {
        var id: AlertRuleID
        var createdAt: Timestamp
        var rule: AlertRule
    }

    struct Key: Hashable {
        var signal: AlertSignal
        var subject: AlertSubject
    }

    /// A value and its true place in the order of events.
    struct Point {
        var place: Int
        var value: FixedDecimal
        var at: Timestamp
    }

    private struct Newest {
        var value: FixedDecimal
        var at: Timestamp
        var source: MarketState.ValueSource
        var loss: (until: Timestamp, Alert.Lateness)?
    }

    private struct Firing {
        var place: Int
        var at: Timestamp
    }

    private struct Step {
        var key: Key
        var old: FixedDecimal
        var new: Point
        var knownUntil: Timestamp
        var lateness: Alert.Lateness?
    }

    let feed: FeedKind
    /// In order of their ids.
    var rules: [Watched] = []
    var favorites: [UserID: Set<MarketID>] = [:]
    private var newest: [Key: Newest] = [:]
    private var listings: [Quote: Newest] = [:]
    private var points: [Key: [Int: Point]] = [:]
    private var firings: [AlertRuleID: [AlertSubject: Firing]] = [:]
    private var liveUntil: Timestamp?

    init(feed: FeedKind) { self.feed = feed }

    mutating func remove(_ id: AlertRuleID) {
        rules.removeAll { $0.id == id }
        firings[id] = nil
    }

    /// The feed or, on a restart, the process was away after the newest data.
    mutating func lose(_ reason: Alert.Lateness) {
        let liveUntil = liveUntil
        func lost(_ newest: Newest) -> Newest {
            var lost = newest
            if let loss = newest.loss {
                if reason == .away { lost.loss = (loss.until, .away) }
            } else {
                lost.loss = (max(liveUntil ?? newest.at, newest.at), reason)
            }
            return lost
        }
        newest = newest.mapValues(lost)
        listings = listings.mapValues(lost)
    }

    /// A value; `place` is its place in the true order.
    mutating func observe(_ seen: AlertObservation, place: Int) -> [Alert] {
        let key = Key(signal: seen.signal, subject: seen.subject)
        if seen.isStale { return [] }
        if seen.source == .store {
            if newest[key] == nil {
                newest[key] = Newest(
                    value: seen.value,
                    at: seen.at,
                    source: .store,
                    loss: (seen.at, .away)
                )
            }
            return []
        }
        if seen.signal == .price, seen.source != .listing {
            liveUntil = max(liveUntil ?? seen.at, seen.at)
        }
        let point = Point(place: place, value: seen.value, at: seen.at)
        let next = Newest(value: seen.value, at: seen.at, source: seen.source)
        guard var before = newest[key] else {
            newest[key] = next
            points[key, default: [:]][place] = point
            return []
        }
        guard isNewer(seen, than: before) else { return [] }
        let day = SeoulTime(seen.at).day
        if seen.signal == .change(.midnight), SeoulTime(before.at).day < day {
            let start = SeoulTime.startOfDay(day)
            before.value = .zero
            if let loss = before.loss { before.loss = (max(loss.until, start), loss.1) }
            points[key, default: [:]][place - 1] = Point(place: place - 1, value: .zero, at: start)
        }
        newest[key] = next
        points[key, default: [:]][place] = point
        let step = Step(
            key: key,
            old: before.value,
            new: point,
            knownUntil: before.loss?.until ?? seen.at,
            lateness: before.loss?.1
        )
        return fire(step)
    }

    private func isNewer(_ seen: AlertObservation, than before: Newest) -> Bool {
        if seen.source == .trade, before.source == .trade { return seen.at >= before.at }
        if seen.source == .trade, seen.value != before.value {
            let (new, held) = (seen.at.microseconds / 1_000, before.at.microseconds / 1_000)
            if before.source == .ticker, before.at.microseconds % 1_000_000 != 0 {
                return new > held
            }
            if before.source == .ticker { return new / 1_000 > held / 1_000 }
            if new == held { return false }
        }
        if seen.at.second != before.at.second { return seen.at > before.at }
        return seen.source.rawValue >= before.source.rawValue
    }

    /// Trades that were read again, with their true places.
    mutating func repair(_ market: MarketID, _ run: [Point]) -> [Alert] {
        let key = Key(signal: .price, subject: AlertSubject(market))
        var alerts: [Alert] = []
        for (index, point) in run.enumerated() {
            points[key, default: [:]][point.place] = point
            if index == 0 { continue }
            let old = run[index - 1].value
            alerts += fire(
                Step(key: key, old: old, new: point, knownUntil: point.at, lateness: .repaired)
            )
        }
        guard let last = run.last else { return alerts }
        if let before = newest[key], last.at <= before.at { return alerts }
        if let before = newest[key], before.source != .store, before.source != .trade,
            last.at.second < before.at.second
        {
            return alerts
        }
        let loss = newest[key].map { before in
            before.loss.map { (max($0.until, last.at), $0.1) }
        }
        newest[key] = Newest(
            value: last.value,
            at: last.at,
            source: .trade,
            loss: loss ?? (last.at, .interrupted)
        )
        liveUntil = max(liveUntil ?? last.at, last.at)
        return alerts
    }

    mutating func list(
        _ quote: Quote,
        _ markets: Set<MarketID>,
        at: Timestamp,
        place: Int
    ) -> [Alert] {
        let told = newest.keys.filter { $0.signal == .listed }.compactMap(\.subject.market)
        let gone = told.filter { market in
            let key = Key(signal: .listed, subject: AlertSubject(market))
            return market.quote == quote && !markets.contains(market) && newest[key]?.value == .one
        }
        var alerts: [Alert] = []
        for market in markets.union(gone).sorted() {
            let key = Key(signal: .listed, subject: AlertSubject(market))
            if newest[key] == nil, var absent = listings[quote] {
                absent.value = .zero
                newest[key] = absent
            }
            let isOn = markets.contains(market)
            let seen = AlertObservation(.listed, of: key.subject, isOn: isOn, at: at)
            alerts += observe(seen, place: place)
        }
        listings[quote] = Newest(value: .one, at: at, source: .ticker)
        return alerts
    }

    private mutating func fire(_ step: Step) -> [Alert] {
        var alerts: [Alert] = []
        for watched in rules where watched.rule.feed == feed && watches(watched, step.key) {
            let isUp = step.new.value > step.old
            guard crosses(watched.rule.test, step.old, step.new.value),
                step.new.at > watched.createdAt, step.knownUntil >= watched.createdAt,
                watched.rule.expiresAt.map({ step.new.at < $0 }) ?? true,
                mayFire(watched, step, isUp: isUp)
            else { continue }
            firings[watched.id, default: [:]][step.key.subject] = Firing(
                place: step.new.place,
                at: step.new.at
            )
            alerts.append(
                Alert(
                    rule: watched.id,
                    subject: step.key.subject,
                    at: step.new.at,
                    value: step.new.value,
                    direction: isUp ? .up : .down,
                    lateness: step.lateness
                )
            )
        }
        return alerts
    }

    private func watches(_ watched: Watched, _ key: Key) -> Bool {
        guard watched.rule.signal == key.signal else { return false }
        func subject(_ market: MarketID) -> AlertSubject {
            AlertSubject(key.signal, of: market, owner: watched.id.owner)
        }
        return switch watched.rule.scope {
        case .all: true
        case .market(let market): subject(market) == key.subject
        case .portfolio: key.subject == AlertSubject(portfolioOf: watched.id.owner)
        case .favorites:
            favorites[watched.id.owner, default: []].contains { subject($0) == key.subject }
        }
    }

    private func crosses(_ test: AlertTest, _ old: FixedDecimal, _ new: FixedDecimal) -> Bool {
        switch test {
        case .above(let level): old < level && new >= level
        case .below(let level): old > level && new <= level
        case .crosses(let level):
            old < level && new >= level || old > level && new <= level
        case .leaves(let low, let high):
            old <= high && new > high || old >= low && new < low
        case .becomes(let begins): begins ? old < .one && new >= .one : old > .zero && new <= .zero
        }
    }

    private func mayFire(_ watched: Watched, _ step: Step, isUp: Bool) -> Bool {
        guard let last = firings[watched.id]?[step.key.subject] else { return true }
        guard case .again(let pause, let ticks) = watched.rule.repetition, step.new.at > last.at,
            step.new.at.duration(since: last.at) >= pause
        else { return false }
        if ticks == 0 { return true }
        let since = points[step.key, default: [:]].values.filter {
            $0.place >= last.place && $0.place < step.new.place
        }
        return since.contains { isBeyond(watched.rule, $0.value, isUp: isUp, ticks: ticks) }
    }

    /// Whether a value is so far on the other side that a rule may fire again.
    private func isBeyond(
        _ rule: AlertRule,
        _ value: FixedDecimal,
        isUp: Bool,
        ticks: Int
    ) -> Bool {
        func margin(_ level: FixedDecimal) -> FixedDecimal {
            let tick: FixedDecimal =
                switch rule.signal {
                case .price: TickTable.step(for: level, quote: .krw)
                case .spread: "0.1"
                case .value: "1"
                default: "0.01"
                }
            return FixedDecimal(units: tick.units * Int128(ticks))
        }
        func moved(_ level: FixedDecimal, _ sign: Int128) -> FixedDecimal {
            FixedDecimal(units: level.units + sign * margin(level).units)
        }
        return switch rule.test {
        case .above(let level), .below(let level), .crosses(let level):
            isUp ? value < moved(level, -1) : value > moved(level, 1)
        case .leaves(let low, let high):
            isUp ? value <= moved(high, -1) : value >= moved(low, 1)
        case .becomes: true
        }
    }
}
