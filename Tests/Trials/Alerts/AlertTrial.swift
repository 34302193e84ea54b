import Domain
import TestSupport

/// Ten virtual minutes of alert rules on one market, over a connection that fails: rules, board and
/// observer alone, between a small model of the exchange and an oracle that saw every trade.
///
/// It does in milliseconds what ``ProgramTrial`` does of alerts in seconds. Equal seeds give equal
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

/// A running trial.
private struct AlertTrialRun {
    private var generator: SeededGenerator
    private var exchange: AlertTrialExchange
    private var feed: AlertTrialFeed
    private var process: AlertTrialProcess
    private var report: ProgramReport
    private let start: Timestamp
    private var now: Timestamp
    private var trails: MarketTrails
    private var watched: [WatchedRule] = []
    /// The end of the newest fault, and whether it is not over.
    private var faultEnd: Timestamp
    private var isFaulty = false
    private var nextFault: Timestamp
    private var nextRule: Timestamp

    /// Rules of one trial.
    private static let rulesMax = 24
    private static let step: Duration = .milliseconds(100)

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let api: ExchangeAPI = Bool.random(using: &generator) ? .v1 : .v2
        // 23:40 to 23:59 in Seoul.
        let minute = Int64.random(in: 0...19, using: &generator)
        let start = Timestamp(microseconds: 1_795_185_600_000_000 + minute * 60_000_000)
        self.start = start
        now = start
        exchange = AlertTrialExchange(at: start, seed: generator.next())
        feed = AlertTrialFeed(api, seed: generator.next())
        trails = MarketTrails(
            AlertTrialExchange.market,
            previousClose: AlertTrialExchange.firstClose,
            at: start
        )
        let isBehind = Int.random(in: 0..<4, using: &generator) == 0
        let lead = isBehind ? Int.random(in: 0...90, using: &generator) : 0
        process = AlertTrialProcess(clockLead: .seconds(lead))
        report = ProgramReport(seed: seed)
        faultEnd = start
        nextFault = start.advanced(by: .seconds(Int.random(in: 60...120, using: &generator)))
        nextRule = start.advanced(by: .seconds(2))
        self.generator = generator
        for trade in exchange.trades { trails.record(trade) }
        process.begin(api, at: now)
        feed.connect(at: now)
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
            changeFaults()
            feed.carry(trades, of: exchange, to: &process, at: now)
            if steps % 10 == 0 {
                process.tick(at: now)
                if nextRule <= now { addRule() }
            }
            takeAlerts()
            if steps % 10 == 0 { compare() }
        }
        report.injected = feed.injected
        return report
    }

    // MARK: Rules

    private mutating func addRule() {
        nextRule = now.advanced(by: .seconds(Int.random(in: 2...20, using: &generator)))
        let number = process.rules.count + 1
        let signal: AlertSignal = number % 4 == 3 ? .change(.midnight) : .price
        guard number <= Self.rulesMax, process.isRunning,
            let value = trails.trail(of: signal)?.points.last?.value,
            let rule = AlertDeeds.rule(number, on: AlertTrialExchange.market, signal, at: value),
            let rule = WatchedRule(
                (rule: process.add(rule, at: now), createdAt: now),
                text: rule.text,
                at: now
            )
        else { return }
        watched.append(rule)
    }

    private mutating func takeAlerts() {
        for alert in process.takeAlerts() {
            let place = Int(alert.rule.number) - 1
            guard let trail = trails.trail(of: watched[place].signal) else { continue }
            watched[place].apply(alert, trail, !feed.hasLost, into: &report)
        }
    }

    private mutating func compare() {
        let settled = faultEnd.advanced(by: CalmTime.settling)
        let calm = isFaulty || settled > now ? nil : settled
        for place in watched.indices {
            guard let trail = trails.trail(of: watched[place].signal) else { continue }
            watched[place].follow(trail, calm: calm, now, into: &report)
        }
    }

    // MARK: Faults

    private mutating func changeFaults() {
        if isFaulty {
            guard faultEnd <= now else { return }
            isFaulty = false
            feed.endFault(at: now)
            if !process.isRunning {
                process.restart(feed.api, at: now)
                feed.connect(at: now)
            }
            let pause = Int.random(in: 1...4, using: &generator) == 1 ? 60...120 : 2...50
            nextFault = now.advanced(by: .seconds(Int.random(in: pause, using: &generator)))
        } else if nextFault <= now {
            compare()
            for place in watched.indices { watched[place].endCalm(at: now) }
            isFaulty = true
            let length = Int.random(in: 1...4, using: &generator) == 1 ? 100...900 : 3...200
            let tenths = Int.random(in: length, using: &generator)
            faultEnd = now.advanced(by: .milliseconds(100 * tenths))
            if feed.beginFault(at: now) == .crash { process.crash() }
        }
    }
}
