import Domain

/// The values at which a rule fires in one direction, as a trial understands them.
struct AlertSide: Sendable {
    let direction: Alert.Direction
    /// The first value that fires.
    private let first: Int128
    /// How far on the other side the value must have been since a firing, in units.
    private let hysteresis: Int128

    /// The sides of a rule on the price of one market, or on its change.
    static func sides(of rule: AlertRule, _ quote: Quote) -> [AlertSide] {
        var ticks = 0
        if case .again(_, let count) = rule.repetition { ticks = count }
        func side(
            _ direction: Alert.Direction,
            _ level: FixedDecimal,
            beyond: Int128 = 0
        ) -> AlertSide {
            let tick =
                rule.signal == .price
                ? TickTable.step(for: level, quote: quote).units : FixedDecimal.unitsPerOne / 100
            return AlertSide(
                direction: direction,
                first: level.units + beyond,
                hysteresis: tick * Int128(ticks)
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

    /// Whether a value is at the level or beyond it.
    func isReached(by value: FixedDecimal) -> Bool {
        direction == .up ? value.units >= first : value.units <= first
    }

    /// Whether a value is so far on the other side that the rule may fire again.
    func isArmed(by value: FixedDecimal) -> Bool {
        direction == .up
            ? value.units < first - hysteresis : value.units > first + hysteresis
    }
}
