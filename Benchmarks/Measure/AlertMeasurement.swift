import Domain
import TestSupport

/// CPU share of 100,000 alert rules on 493 markets at 2,000 frames a second.
///
/// A frame brings a price, its changes over two periods and the volume strength. Prices walk at
/// random by steps of the market, and half of the rules lie within 2 % of them, so that many are
/// crossed. Most rules fire again; a third of these with hysteresis.
enum AlertMeasurement {
    static let alerts = Measurement(name: "alerts", run: run)

    private static let marketCount = 493
    private static let ruleCount = 100_000
    /// Frames of one sample: one second.
    private static let framesPerSecond = 2_000
    /// Samples are short, so that most are undisturbed on a shared core, and their median counts.
    private static let samples = 61

    private static func run() {
        var load = AlertLoad(seed: 1, marketCount: marketCount)
        var book = AlertBook(feed: .live)
        let clock = ContinuousClock()
        let start = load.begin()
        for event in start { _ = book.apply(event) }
        let rules = (1...ruleCount).map { _ in load.rule() }
        let adding = clock.measure {
            for (index, rule) in rules.enumerated() {
                let id = Int64(index + 1)
                book.add(
                    rule,
                    id: AlertRuleID(id, of: UserID(id / Int64(AlertRule.rulesMax) + 1)),
                    createdAt: .noon()
                )
            }
        }
        var times: [Duration] = []
        var fired = 0
        // The first sample sorts the levels.
        for sample in 0...samples {
            let events = load.frames(framesPerSecond)
            var alerts = 0
            let time = clock.measure {
                for event in events { alerts += book.apply(event).count }
            }
            if sample == 0 { continue }
            times.append(time)
            fired += alerts
        }
        precondition(fired > samples, "The prices cross levels")
        report(times.sorted(), fired: fired, adding: adding)
    }

    private static func report(_ times: [Duration], fired: Int, adding: Duration) {
        func percent(_ time: Duration) -> String {
            let hundredths = Int(time / .microseconds(100))
            return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10) %"
        }
        print(
            "\(ruleCount) alert rules, \(marketCount) markets, \(framesPerSecond) frames/s: "
                + "\(percent(times[samples / 2])) of a core, the slowest second "
                + "\(percent(times[samples - 1])), \(fired / samples) alerts/s, "
                + "all rules added in \(Int(adding / .milliseconds(1))) ms"
        )
    }
}

/// Random frames and rules.
private struct AlertLoad {
    private var generator: SeededGenerator
    private let markets: [MarketID]
    /// Prices in steps of their market, from 10,000 to 100,000 steps.
    private var steps: [Int64]
    private let starts: [Int64]
    private var at = Timestamp.noon()

    init(seed: UInt64, marketCount: Int) {
        var generator = SeededGenerator(seed: seed)
        markets = (1...marketCount).compactMap { MarketID(symbol: "C\($0)", quote: .krw) }
        steps = markets.map { _ in Int64.random(in: 10_000...100_000, using: &generator) }
        starts = steps
        self.generator = generator
    }

    /// The first values of all signals.
    mutating func begin() -> [AlertEvent] {
        at = at.advanced(by: .seconds(-1))
        return markets.indices.flatMap { frame(of: $0) }
    }

    mutating func frames(_ count: Int) -> [AlertEvent] {
        (0..<count).flatMap { _ -> [AlertEvent] in
            at = at.advanced(by: .microseconds(500))
            // A few markets have most of the trades.
            let first = Int.random(in: markets.indices, using: &generator)
            let market = Int.random(in: 0...first, using: &generator)
            steps[market] = max(steps[market] + Int64.random(in: -10...10, using: &generator), 1)
            return frame(of: market)
        }
    }

    private func frame(of market: Int) -> [AlertEvent] {
        let subject = AlertSubject(markets[market])
        let moved = Int128(steps[market] - starts[market]) * FixedDecimal.unitsPerOne
        // In percent, two decimals.
        let rate = FixedDecimal(
            units: moved * 10_000 / Int128(starts[market]) / FixedDecimal.unitsPerOne
                * FixedDecimal.unitsPerOne / 100
        )
        let strength = FixedDecimal(100 + (steps[market] - starts[market]) / 10)
        let seen = [
            AlertObservation(
                .price,
                of: subject,
                FixedDecimal(steps[market]),
                at: at,
                source: .trade
            ),
            AlertObservation(.change(.minutes30), of: subject, rate, at: at),
            AlertObservation(.change(.midnight), of: subject, rate, at: at),
            AlertObservation(.strength, of: subject, strength, at: at),
        ]
        return seen.map { .observed($0) }
    }

    mutating func rule() -> AlertRule {
        let market = Int.random(in: markets.indices, using: &generator)
        let kind = Int.random(in: 0..<100, using: &generator)
        let isNear = Bool.random(using: &generator)
        let distance = starts[market] / (isNear ? 50 : 5)
        let price = starts[market] + Int64.random(in: -distance...distance, using: &generator)
        let percent = FixedDecimal(Int64.random(in: -5...5, using: &generator))
        let scope = AlertScope.market(markets[market])
        var rule: AlertRule
        switch kind {
        case ..<40: rule = AlertRule(scope: scope, signal: .price, test: .above(.init(price)))
        case ..<70: rule = AlertRule(scope: scope, signal: .price, test: .below(.init(price)))
        case ..<75:
            let test = AlertTest.leaves(low: .init(price), high: .init(price + distance))
            rule = AlertRule(scope: scope, signal: .price, test: test)
        case ..<85:
            rule = AlertRule(scope: scope, signal: .change(.minutes30), test: .crosses(percent))
        case ..<93:
            rule = AlertRule(scope: scope, signal: .change(.midnight), test: .above(percent))
        case ..<98: rule = AlertRule(scope: scope, signal: .strength, test: .above(.init(150)))
        default: rule = AlertRule(scope: .all, signal: .change(.minutes30), test: .above(percent))
        }
        if Int.random(in: 0..<10, using: &generator) > 0 {
            let ticks = Int.random(in: 0..<3, using: &generator) == 0 ? 2 : 0
            rule.repetition = .again(pause: .seconds(60), ticks: ticks)
        }
        return rule
    }
}
