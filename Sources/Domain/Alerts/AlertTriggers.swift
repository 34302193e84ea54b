/// The level at which a rule fires in one direction.
struct AlertTrigger: Sendable, Hashable {
    /// The first value, in units of 10⁻¹⁸, at which it fires.
    ///
    /// A limit that belongs to the values that do not fire is one unit before it.
    var level: Int128
    var direction: Alert.Direction
    /// The last value, in units, at which it may fire again afterwards.
    var rearmLevel: Int128

    init(at level: Int128, _ direction: Alert.Direction, hysteresis: Int128) {
        self.level = level
        self.direction = direction
        rearmLevel = direction == .up ? level - 1 - hysteresis : level + 1 + hysteresis
    }

    /// Whether a value lets the rule fire again.
    func isRearmed(by value: FixedDecimal) -> Bool {
        direction == .up ? value.units <= rearmLevel : value.units >= rearmLevel
    }
}

extension [AlertTrigger] {
    /// Whether a value is at the level of a direction or beyond it.
    func isReached(_ direction: Alert.Direction, by value: FixedDecimal) -> Bool {
        contains { trigger in
            trigger.direction == direction
                && (direction == .up ? value.units >= trigger.level : value.units <= trigger.level)
        }
    }

    /// The direction in which a value fired; nil if both are possible.
    func direction(of value: FixedDecimal) -> Alert.Direction? {
        let directions = Alert.Direction.allCases.filter { isReached($0, by: value) }
        return directions.count == 1 ? directions[0] : nil
    }
}

extension AlertRule {
    /// The triggers: one, or two in opposite directions.
    var triggers: [AlertTrigger] {
        func trigger(
            _ level: FixedDecimal,
            _ direction: Alert.Direction,
            beyond: Int128 = 0
        ) -> AlertTrigger {
            AlertTrigger(
                at: level.units + beyond,
                direction,
                hysteresis: hysteresis(at: level)
            )
        }
        return switch test {
        case .above(let level): [trigger(level, .up)]
        case .below(let level): [trigger(level, .down)]
        case .crosses(let level): [trigger(level, .up), trigger(level, .down)]
        case .leaves(let low, let high):
            [trigger(high, .up, beyond: 1), trigger(low, .down, beyond: -1)]
        case .becomes(true): [trigger(.one, .up)]
        case .becomes(false): [trigger(.zero, .down)]
        }
    }

    private func hysteresis(at level: FixedDecimal) -> Int128 {
        guard case .again(_, let ticks) = repetition, ticks > 0 else { return 0 }
        let quote: Quote = if case .market(let market) = scope { market.quote } else { .krw }
        return signal.tick(at: level, quote: quote).units * Int128(ticks)
    }

    /// Whether the rule waits for the hysteresis after it has fired.
    ///
    /// Without hysteresis the crossing itself proves that the value was on the other side.
    var hasHysteresis: Bool {
        if case .again(_, let ticks) = repetition { ticks > 0 } else { false }
    }
}

/// The triggers of one signal, sorted by level, so that a move looks only at those in between.
struct AlertTriggerIndex: Sendable {
    /// A level and the slot of its rule.
    struct Entry: Sendable {
        var level: Int128
        var slot: Int
    }

    /// Entries in ascending order, sorted when they are first needed.
    struct Levels: Sendable {
        private var entries: [Entry] = []
        private var isSorted = true

        var isEmpty: Bool { entries.isEmpty }

        mutating func add(_ entry: Entry) {
            isSorted = isSorted && (entries.last.map { $0.level <= entry.level } ?? true)
            entries.append(entry)
        }

        mutating func removeAll(where isRemoved: (Int) -> Bool) {
            entries.removeAll { isRemoved($0.slot) }
        }

        /// The slots of the levels in a closed range.
        mutating func append(
            from low: Int128,
            through high: Int128,
            to slots: inout [Int]
        ) {
            if !isSorted {
                entries.sort { ($0.level, $0.slot) < ($1.level, $1.slot) }
                isSorted = true
            }
            var index = entries.partition(before: low)
            while index < entries.count, entries[index].level <= high {
                slots.append(entries[index].slot)
                index += 1
            }
        }
    }

    /// Levels at which a rise or a fall fires.
    private var rises = Levels()
    private var falls = Levels()
    /// Levels at which a fall lets a rise fire again, and the other way round; only of rules with
    /// hysteresis.
    private var rearmingFalls = Levels()
    private var rearmingRises = Levels()

    /// Whether no rule watches the signal.
    var isEmpty: Bool { rises.isEmpty && falls.isEmpty }

    /// Whether no rule has hysteresis.
    var isWithoutHysteresis: Bool { rearmingFalls.isEmpty && rearmingRises.isEmpty }

    mutating func add(_ trigger: AlertTrigger, slot: Int, hasHysteresis: Bool) {
        let entry = Entry(level: trigger.level, slot: slot)
        let rearming = Entry(level: trigger.rearmLevel, slot: slot)
        switch trigger.direction {
        case .up:
            rises.add(entry)
            if hasHysteresis { rearmingFalls.add(rearming) }
        case .down:
            falls.add(entry)
            if hasHysteresis { rearmingRises.add(rearming) }
        }
    }

    mutating func removeAll(where isRemoved: (Int) -> Bool) {
        rises.removeAll(where: isRemoved)
        falls.removeAll(where: isRemoved)
        rearmingFalls.removeAll(where: isRemoved)
        rearmingRises.removeAll(where: isRemoved)
    }

    /// The slots whose levels a move reaches.
    mutating func fired(from old: Int128, to new: Int128, _ slots: inout [Int]) {
        if new > old {
            rises.append(from: old + 1, through: new, to: &slots)
        } else if new < old {
            falls.append(from: new, through: old - 1, to: &slots)
        }
    }

    /// The slots that may fire again in a direction after a move.
    ///
    /// - Parameters:
    ///   - old: the value before; nil if it is unknown.
    ///   - new: the value.
    ///   - direction: the direction of a later firing.
    ///   - slots: receives the slots.
    mutating func rearmed(
        from old: Int128?,
        to new: Int128,
        for direction: Alert.Direction,
        _ slots: inout [Int]
    ) {
        switch direction {
        case .up:
            if old.map({ new < $0 }) ?? true {
                let high = old.map { $0 - 1 } ?? .max
                rearmingFalls.append(from: new, through: high, to: &slots)
            }
        case .down:
            if old.map({ new > $0 }) ?? true {
                let low = old.map { $0 + 1 } ?? .min
                rearmingRises.append(from: low, through: new, to: &slots)
            }
        }
    }
}

extension [AlertTriggerIndex.Entry] {
    /// The index of the first entry at a level or above it.
    fileprivate func partition(before level: Int128) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].level < level { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
