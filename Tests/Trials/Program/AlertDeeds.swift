import DataSourceContracts
import Domain
import TestSupport
import UseCases

/// The alert rules that the users of a trial make, each at the value of its moment.
enum AlertDeeds {
    /// The markets with rules: one that nothing happens to, one that may be suspended or refused,
    /// and one that may be delisted.
    static let markets: [MarketID] = [ProgramSchedule.watched, "ETH_KRW", "XRP_KRW"]

    /// From this number of deeds on every third one replaces a rule, and some remove one.
    private static let addedFirst = 12
    /// From this number on rules watch signals of which only bounds are known, and stay.
    static let boundedFirst = 36
    static let count = boundedFirst + 12

    /// Adds, replaces or removes a rule of a user; a store that fails refuses it.
    ///
    /// - Parameters:
    ///   - number: which rule.
    ///   - value: that of its signal.
    ///   - instance: does it.
    ///   - stores: the stores with the users.
    static func perform(
        _ number: Int,
        at value: FixedDecimal,
        _ instance: TrialInstance,
        _ stores: TrialStores
    ) async {
        let user = stores.ids[number % stores.ids.count]
        guard let rule = rule(number, at: value) else { return }
        let now = instance.exchangeTime
        let oldest = stores.users.alertRows(of: user.number, after: .max).rules
            .min { $0.createdAt < $1.createdAt }?.number
        let change: UserChange =
            switch (number < boundedFirst ? number % 6 : 0, oldest) {
            case (2, let oldest?) where number >= addedFirst,
                (3, let oldest?) where number >= addedFirst:
                .replaceAlert(oldest, by: rule, at: now, expecting: nil)
            case (4, let oldest?) where number >= addedFirst * 2:
                .removeAlert(oldest, expecting: nil)
            default: .addAlert(rule, at: now)
            }
        _ = try? await instance.users.perform(change, of: user)
    }

    /// The market of a rule.
    static func market(_ number: Int) -> MarketID { markets[number / 2 % markets.count] }

    /// The signal of a rule.
    static func signal(_ number: Int) -> AlertSignal {
        if number >= boundedFirst {
            return MarketBounds.signals[number % MarketBounds.signals.count]
        }
        return number % 4 == 3 ? .change(.midnight) : .price
    }

    /// How far apart the levels of a rule are, in units.
    private static func distance(
        on market: MarketID,
        _ signal: AlertSignal,
        at value: FixedDecimal
    ) -> Int128 {
        // The price of the busiest market moves by several steps at once.
        let isBusiest = market == ProgramSchedule.watched
        let hundredth = FixedDecimal.unitsPerOne / 100
        // Wider than the bounds, so that crossings are certain.
        switch signal {
        case .turnover: return max(value.units / 4, hundredth)
        case .change(.minutes30): return hundredth * 20
        default: break
        }
        return signal == .price
            ? TickTable.step(for: value, quote: market.quote).units * (isBusiest ? 15 : 1)
            : hundredth * (isBusiest ? 1 : 3)
    }

    private static func rule(_ number: Int, at value: FixedDecimal) -> AlertRule? {
        rule(number, on: market(number), signal(number), at: value)
    }

    /// The rule of a number; the note makes its text unlike that of all others.
    ///
    /// - Parameters:
    ///   - number: which tests and repetitions it has.
    ///   - market: its market.
    ///   - signal: what it watches.
    ///   - value: that of the signal now.
    /// - Returns: the rule; nil if it were not valid.
    static func rule(
        _ number: Int,
        on market: MarketID,
        _ signal: AlertSignal,
        at value: FixedDecimal
    ) -> AlertRule? {
        let distance = distance(on: market, signal, at: value)
        func level(_ distances: Int128) -> FixedDecimal {
            FixedDecimal(units: value.units + distances * distance)
        }
        let tests: [AlertTest] = [
            .above(level(1)), .below(level(-1)), .crosses(level(0)),
            .leaves(low: level(-1), high: level(1)), .above(level(0)),
        ]
        let repetitions: [AlertRepetition] = [
            .again(pause: .seconds(5), ticks: 0), .again(pause: .seconds(20), ticks: 1), .once,
            .again(pause: .seconds(1), ticks: 2), .again(pause: .zero, ticks: 0),
            .again(pause: .seconds(10), ticks: 0), .again(pause: .seconds(60), ticks: 0),
        ]
        return AlertRule(
            scope: .market(market),
            signal: signal,
            test: tests[number % tests.count],
            repetition: repetitions[number % repetitions.count],
            note: "\(number)",
            feed: .simulated
        )
    }
}

extension TrialInstance {
    /// The exchange time of a deed, as requests of users take it.
    fileprivate var exchangeTime: Timestamp { latest.value.board.exchangeTime(at: now()) }
}
