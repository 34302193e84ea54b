extension AlertRule {
    /// Says whether the rule may be kept.
    ///
    /// - Parameter now: exchange time.
    /// - Throws: the reason why not.
    public func validate(at now: Timestamp) throws(AlertRuleError) {
        try checkScope()
        try checkTest()
        if case .turnover(let minutes) = signal, !AlertSignal.turnoverMinutes.contains(minutes) {
            throw AlertRuleError(.minutesOutOfRange)
        }
        if case .again(let pause, let ticks) = repetition {
            guard AlertRepetition.pauses.contains(pause), pause.components.attoseconds == 0 else {
                throw AlertRuleError(.pauseOutOfRange)
            }
            guard AlertRepetition.tickCounts.contains(ticks) else {
                throw AlertRuleError(.ticksOutOfRange)
            }
            if signal.isState, ticks > 0 { throw AlertRuleError(.ticksOfState) }
        }
        if let expiresAt {
            guard expiresAt > now else { throw AlertRuleError(.expired) }
            // The text form has four digits.
            guard SeoulTime(expiresAt).civil.year <= 9_999 else {
                throw AlertRuleError(.notATime)
            }
        }
        try checkNote()
    }

    /// Refuses a signal that the scope does not have.
    func checkScope() throws(AlertRuleError) {
        let isAllowed: Bool =
            switch (signal, scope) {
            case (.value, .portfolio), (.profitRate, .portfolio), (.profitRate, .market): true
            case (.value, _), (.profitRate, _), (_, .portfolio): false
            case (.price, .market): true
            case (.price, _): false
            case (.spread, .all): false
            case (_, .market), (_, .favorites), (_, .all): true
            }
        guard !isAllowed else { return }
        switch signal {
        case .price where scope != .portfolio: throw AlertRuleError(.priceNeedsMarket)
        case .spread where scope == .all: throw AlertRuleError(.spreadOfAll)
        case .value: throw AlertRuleError(.valueNeedsPortfolio)
        case .profitRate: throw AlertRuleError(.returnNeedsHolding)
        case .price, .spread, .change, .turnover, .strength, .deposit, .withdrawal, .caution,
            .exchangeAlert, .listed, .trading:
            throw AlertRuleError(.notOfPortfolio)
        }
    }

    private func checkTest() throws(AlertRuleError) {
        switch test {
        case .becomes: guard signal.isState else { throw AlertRuleError(.levelMissing) }
        case .above(let level), .below(let level), .crosses(let level): try check(level)
        case .leaves(let low, let high):
            try check(low)
            try check(high)
            guard low < high else { throw AlertRuleError(.emptyBand) }
        }
    }

    private func check(_ level: FixedDecimal) throws(AlertRuleError) {
        if signal.isState { throw AlertRuleError(.levelOfState) }
        guard level.magnitude <= UserInput.cashMax else {
            throw AlertRuleError(.number(InputError(.tooLarge(UserInput.cashMax))))
        }
        guard level.sign >= 0 || signal.mayBeNegative else {
            throw AlertRuleError(.number(InputError(.negative)))
        }
        if signal == .price, level.isZero { throw AlertRuleError(.number(InputError(.zero))) }
    }

    private func checkNote() throws(AlertRuleError) {
        guard let note else { return }
        do throws(InputError) {
            guard try UserInput.note(note) == note else {
                throw InputError(note.isEmpty ? .empty : .spacesAround)
            }
            // A combining mark would join the space before it in the text form.
            guard (" " + note).first == " " else { throw InputError(.unreadable) }
        } catch {
            throw AlertRuleError(.note(error))
        }
    }
}

/// Bounds of a user and of a process.
public enum AlertLimits: Sendable {
    /// The most order books that a process follows for spread rules.
    public static let booksMax = 30
    /// How many values a process keeps, besides those that rules watch: ten of each market.
    public static let gaugesMax = 10 * MarketBoard.marketsMax

    /// Refuses one more rule of a user who has `count` of them.
    public static func checkRoom(_ count: Int) throws(AlertRuleError) {
        guard count < AlertRule.rulesMax else { throw AlertRuleError(.tooManyRules) }
    }

    /// The markets whose books a rule needs; empty unless it watches spreads.
    public static func books(
        of rule: AlertRule,
        favorites: some Sequence<MarketID>
    ) -> Set<MarketID> {
        guard rule.signal == .spread else { return [] }
        return switch rule.scope {
        case .market(let market): [market]
        case .favorites: Set(favorites)
        case .all, .portfolio: []
        }
    }

    /// The books that a process follows once it has one more rule.
    ///
    /// - Throws: `tooManyBooks` if there are more than ``booksMax``.
    public static func books(
        adding rule: AlertRule,
        favorites: some Sequence<MarketID>,
        to followed: Set<MarketID>
    ) throws(AlertRuleError) -> Set<MarketID> {
        let wanted = books(of: rule, favorites: favorites)
        let books = followed.union(wanted)
        guard books.count <= booksMax || wanted.isSubset(of: followed) else {
            throw AlertRuleError(.tooManyBooks(followed: followed.count, more: books.count))
        }
        return books
    }
}
