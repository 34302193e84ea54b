import Domain
import TestSupport

/// Ten virtual minutes of alert rules on one market, over a connection that fails: rules, board and
/// observer alone, between a small model of the exchange and an oracle that saw every trade.
///
/// A trial takes milliseconds, where a ``ProgramTrial`` takes seconds. Equal seeds give equal
/// trials.
public struct AlertTrial: Sendable {
    /// The duration of a trial.
    public static let duration: Duration = .seconds(600)

    /// The seed.
    public let seed: UInt64

    /// Creates a trial.
    public init(seed: UInt64) { self.seed = seed }

    /// Runs the trial.
    public func run() -> ProgramReport {
        var run = AlertTrialRun(seed: seed)
        return run.run()
    }
}

/// A process with its way to the exchange, and the fault in force.
private struct AlertTrialInstance {
    var feed: AlertTrialFeed
    var process: AlertTrialProcess
    var nextFault: Timestamp
    var faultEnd: Timestamp?

    mutating func carry(_ trades: [Trade], of exchange: AlertTrialExchange, at now: Timestamp) {
        feed.carry(trades, of: exchange, to: &process, at: now)
    }
}

/// A running trial.
private struct AlertTrialRun {
    private var generator: SeededGenerator
    private var exchange: AlertTrialExchange
    private var store = AlertTrialStore()
    private var instances: [AlertTrialInstance] = []
    private var report: ProgramReport
    private let start: Timestamp
    private var now: Timestamp
    private var trails: MarketTrails
    private var watched: [WatchedRule] = []
    /// When the newest fault has ended.
    private var calmSince: Timestamp
    private var nextRule: Timestamp
    /// When the next process leads; nil while one does.
    private var nextTermAt: Timestamp?
    private var nextLoss: Timestamp

    /// Rules of one trial.
    private static let rulesMax = 24
    private static let step: Duration = .milliseconds(100)

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // 23:40 to 23:59 in Seoul.
        let minute = Int64.random(in: 0...19, using: &generator)
        let start = Timestamp(microseconds: 1_795_185_600_000_000 + minute * 60_000_000)
        self.start = start
        now = start
        exchange = AlertTrialExchange(at: start, seed: generator.next())
        trails = MarketTrails(
            AlertTrialExchange.market,
            previousClose: AlertTrialExchange.firstClose,
            at: start
        )
        report = ProgramReport(seed: seed)
        calmSince = start
        nextRule = start.advanced(by: .seconds(2))
        nextLoss = start.advanced(by: .seconds(Int.random(in: 80...300, using: &generator)))
        self.generator = generator
        for trade in exchange.trades { trails.record(trade) }
        store.lead(by: 0)
        for number in 0..<Int.random(in: 1...2, using: &self.generator) { addInstance(number) }
    }

    private mutating func addInstance(_ number: Int) {
        let api: ExchangeAPI = Bool.random(using: &generator) ? .v1 : .v2
        let isBehind = Int.random(in: 0..<4, using: &generator) == 0
        let lead = isBehind ? Int.random(in: 0...90, using: &generator) : 0
        let firstFault = Int.random(in: 60...120, using: &generator)
        var instance = AlertTrialInstance(
            feed: AlertTrialFeed(api, seed: generator.next()),
            process: AlertTrialProcess(number, clockLead: .seconds(lead)),
            nextFault: start.advanced(by: .seconds(firstFault))
        )
        instance.process.begin(api, with: store, at: now)
        instance.feed.connect(at: now)
        instances.append(instance)
    }

    mutating func run() -> ProgramReport {
        let end = start.advanced(by: AlertTrial.duration)
        var steps = 0
        while now < end {
            now = now.advanced(by: Self.step)
            steps += 1
            let trades = exchange.advance(to: now)
            for trade in trades where trade.market == AlertTrialExchange.market {
                trails.record(trade)
            }
            changeLeader()
            for number in instances.indices {
                changeFaults(number)
                instances[number].carry(trades, of: exchange, at: now)
                if steps % 10 == 0 { instances[number].process.tick(&store, at: now) }
                instances[number].process.save(in: &store, at: now)
            }
            if steps % 10 == 0, nextRule <= now { addRule() }
            takeAlerts()
            if steps % 10 == 0 { compare() }
        }
        for instance in instances {
            report.injected.merge(instance.feed.injected, uniquingKeysWith: +)
        }
        return report
    }

    // MARK: Rules

    private mutating func addRule() {
        nextRule = now.advanced(by: .seconds(Int.random(in: 2...20, using: &generator)))
        let number = store.owner.rules.count + 1
        let signal: AlertSignal = number % 4 == 3 ? .change(.midnight) : .price
        guard number <= Self.rulesMax, let value = trails.trail(of: signal)?.points.last?.value,
            let rule = AlertDeeds.rule(number, on: AlertTrialExchange.market, signal, at: value),
            let rule = WatchedRule((rule: rule, createdAt: now), text: rule.text, at: now)
        else { return }
        store.add(rule.rule, at: now)
        watched.append(rule)
    }

    private mutating func takeAlerts() {
        let isExact = !instances.contains { $0.feed.hasLost }
        for alert in store.takeAlerts() {
            let place = Int(alert.rule.number) - 1
            guard let trail = trails.trail(of: watched[place].signal) else { continue }
            watched[place].apply(alert, trail, isExact, into: &report)
        }
    }

    private mutating func compare() {
        let settled = calmSince.advanced(by: CalmTime.settling)
        let isFaulty = store.leader == nil || instances.contains { $0.faultEnd != nil }
        let calm = isFaulty || settled > now ? nil : settled
        for place in watched.indices {
            guard let trail = trails.trail(of: watched[place].signal) else { continue }
            watched[place].follow(trail, calm: calm, now, into: &report)
        }
    }

    private mutating func endCalm() {
        compare()
        for place in watched.indices { watched[place].endCalm(at: now) }
    }

    // MARK: Faults

    private mutating func changeFaults(_ number: Int) {
        if let end = instances[number].faultEnd {
            guard end <= now else { return }
            instances[number].faultEnd = nil
            calmSince = now
            instances[number].feed.endFault()
            if !instances[number].process.isRunning {
                let api = instances[number].feed.api
                instances[number].process.begin(api, with: store, at: now)
                instances[number].feed.connect(at: now)
            }
            let pause = Int.random(in: 1...4, using: &generator) == 1 ? 60...120 : 2...50
            let wait = Duration.seconds(Int.random(in: pause, using: &generator))
            instances[number].nextFault = now.advanced(by: wait)
        } else if instances[number].nextFault <= now {
            endCalm()
            let length = Int.random(in: 1...4, using: &generator) == 1 ? 100...900 : 3...200
            let tenths = Int.random(in: length, using: &generator)
            instances[number].faultEnd = now.advanced(by: .milliseconds(100 * tenths))
            guard instances[number].feed.beginFault() == .crash else { return }
            instances[number].process.crash()
            if store.leader == number { loseLeader() }
        }
    }

    /// Ends a term now and then, and lets a running process begin the next one.
    private mutating func changeLeader() {
        if store.leader != nil, nextLoss <= now {
            endCalm()
            report.injected["lease", default: 0] += 1
            loseLeader()
        }
        guard let at = nextTermAt, at <= now else { return }
        let running = instances.indices.filter { instances[$0].process.isRunning }
        guard let next = running.randomElement(using: &generator) else { return }
        nextTermAt = nil
        calmSince = now
        let wait = Duration.seconds(Int.random(in: 20...200, using: &generator))
        nextLoss = now.advanced(by: wait)
        store.lead(by: next)
    }

    private mutating func loseLeader() {
        store.lead(by: nil)
        let tenths = Int.random(in: 1...120, using: &generator)
        nextTermAt = now.advanced(by: .milliseconds(100 * tenths))
    }
}
