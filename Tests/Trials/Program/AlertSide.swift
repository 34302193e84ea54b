import Domain

/// The values at which a rule fires in one direction, as a trial understands them.
struct AlertSide: Sendable {
    let direction: Alert.Direction
    /// The first value that fires.
    private let first: Int128
    /// How far on the other side the value must have been since a firing, in units.
    private let hysteresis: Int128

    /// The sides of a rule on the price of one market.
    static func sides(of rule: AlertRule, _ quote: Quote) -> [AlertSide] {
        var ticks = 0
        if case .again(_, let count) = rule.repetition { ticks = count }
        func side(
            _ direction: Alert.Direction,
            _ level: FixedDecimal,
            beyond: Int128 = 0
        ) -> AlertSide {
            let tick = TickTable.step(for: level, quote: quote)
            return AlertSide(
                direction: direction,
                first: level.units + beyond,
                hysteresis: tick.units * Int128(ticks)
            )
        }
        return switch rule.test {
        case .above(let level): [side(.up, level)]
        case .below(let level): [side(.down, level)]
        case .crosses(let level): [side(.up, level), side(.down, level)]
        case .leaves(let low, let high):
            [side(.up, high, beyond: 1), side(.down, low, beyond: -1)]
        case .becomes: []
        }
    }

    /// Whether a price is at the level or beyond it.
    func isReached(by price: FixedDecimal) -> Bool {
        direction == .up ? price.units >= first : price.units <= first
    }

    /// Whether a price is so far on the other side that the rule may fire again.
    func isArmed(by price: FixedDecimal) -> Bool {
        direction == .up
            ? price.units < first - hysteresis : price.units > first + hysteresis
    }
}
