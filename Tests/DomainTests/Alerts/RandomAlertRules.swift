import Domain
import TestSupport

extension AlertRule {
    /// A random valid rule of any kind.
    static func random(using generator: inout SeededGenerator) -> AlertRule {
        let (scope, signal) = randomWatch(using: &generator)
        var rule = AlertRule(
            scope: scope,
            signal: signal,
            test: randomTest(of: signal, using: &generator),
            feed: [FeedKind.live, .simulated, .replay].randomElement(using: &generator) ?? .live
        )
        if Bool.random(using: &generator) {
            let seconds = Int64.random(in: 0...604_800, using: &generator)
            let ticks = signal.isState ? 0 : Int.random(in: 0...1_000, using: &generator)
            rule.repetition = .again(
                pause: .seconds(Bool.random(using: &generator) ? seconds : seconds / 60 * 60),
                ticks: Bool.random(using: &generator) ? ticks : 0
            )
        }
        if Bool.random(using: &generator) {
            let microseconds = Int64.random(in: 1...100_000_000_000_000, using: &generator)
            let unit: Int64 = [1, 1_000_000, 60_000_000].randomElement(using: &generator) ?? 1
            rule.expiresAt = .noon().advanced(
                by: .microseconds(microseconds / unit * unit + 60_000_000)
            )
        }
        if Bool.random(using: &generator) {
            rule.note = ["목표가", "a  b > 3 note until", "\"quoted\"", "e\u{301}"]
                .randomElement(using: &generator)
        }
        return rule
    }

    private static func randomWatch(
        using generator: inout SeededGenerator
    ) -> (AlertScope, AlertSignal) {
        let market = AlertScope.market(
            ["BTC_KRW", "ETH_BTC", "SUN_OLD_KRW", "ALL_KRW"].randomElement(using: &generator)
                ?? "BTC_KRW"
        )
        let many = [market, .favorites, .all].randomElement(using: &generator) ?? market
        let minutes = Int.random(in: 1...60, using: &generator)
        let watches: [(AlertScope, AlertSignal)] =
            ChangePeriod.allCases.map { (many, .change($0)) } + [
                (market, .price), (many, .turnover(minutes: minutes)),
                (many == .all ? .favorites : many, .spread), (many, .strength), (many, .deposit),
                (many, .withdrawal), (many, .caution), (many, .exchangeAlert), (many, .listed),
                (many, .trading), (.portfolio, .value), (.portfolio, .profitRate),
                (market, .profitRate),
            ]
        return watches.randomElement(using: &generator) ?? (market, .price)
    }

    private static func randomTest(
        of signal: AlertSignal,
        using generator: inout SeededGenerator
    ) -> AlertTest {
        if signal.isState { return .becomes(Bool.random(using: &generator)) }
        func level() -> FixedDecimal {
            let digits = Int128.random(in: 1...1_000_000_000_000_000, using: &generator)
            let scale = Int.random(in: 0...18, using: &generator)
            var units = FixedDecimal.unitsPerOne
            for _ in 0..<scale { units /= 10 }
            let isNegative: Bool =
                switch signal {
                case .change, .profitRate: Bool.random(using: &generator)
                default: false
                }
            return FixedDecimal(units: isNegative ? -digits * units : digits * units)
        }
        let (first, second) = (level(), level())
        return switch Int.random(in: 0..<4, using: &generator) {
        case 0: .above(first)
        case 1: .below(first)
        case 2 where first != second:
            .leaves(low: min(first, second), high: max(first, second))
        default: .crosses(first)
        }
    }
}

extension AlertRule {
    /// A random rule with levels that the streams of tests cross.
    static func randomFiring(
        using generator: inout SeededGenerator,
        markets: [MarketID]
    ) -> AlertRule {
        let market = AlertScope.market(markets.randomElement(using: &generator) ?? "A_KRW")
        let many = [market, .favorites, .all].randomElement(using: &generator) ?? market
        let watches: [(AlertScope, AlertSignal)] = [
            (market, .price), (market, .price), (market, .price), (market, .price),
            (market, .price), (market, .price), (many, .change(.minutes30)),
            (many, .change(.midnight)), (many, .turnover(minutes: 5)),
            (many == .all ? .favorites : many, .spread), (many, .strength), (many, .deposit),
            (many, .listed), (many, .trading), (.portfolio, .value), (market, .profitRate),
        ]
        let (scope, signal) = watches.randomElement(using: &generator) ?? (market, .price)
        var rule = AlertRule(scope: scope, signal: signal, test: .becomes(true))
        if signal.isState {
            rule.test = .becomes(Bool.random(using: &generator))
        } else {
            rule.test = test(signal == .price ? 1_003...1_017 : -4...9, using: &generator)
        }
        if Int.random(in: 0..<3, using: &generator) > 0 {
            let pauses: [Duration] = [.zero, .zero, .seconds(30), .seconds(600)]
            let ticks = Int.random(in: 0...3, using: &generator)
            rule.repetition = .again(
                pause: pauses.randomElement(using: &generator) ?? .zero,
                ticks: signal.isState ? 0 : signal == .price ? ticks : ticks * 100
            )
        }
        return rule
    }

    private static func test(
        _ levels: ClosedRange<Int64>,
        using generator: inout SeededGenerator
    ) -> AlertTest {
        let level = Int64.random(in: levels, using: &generator)
        let width = Int64.random(in: 1...6, using: &generator)
        return switch Int.random(in: 0..<4, using: &generator) {
        case 0: .above(FixedDecimal(level))
        case 1: .below(FixedDecimal(level))
        case 2: .crosses(FixedDecimal(level))
        default: .leaves(low: FixedDecimal(level), high: FixedDecimal(level + width))
        }
    }
}
