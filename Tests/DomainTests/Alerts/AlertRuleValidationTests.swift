import Domain
import TestSupport
import Testing

@Suite("Validation of alert rules")
struct AlertRuleValidationTests {
    @Test(
        "a rule that has no meaning is refused with the reason",
        arguments: [
            (AlertRule(scope: .all, signal: .price, test: .above(.one)), .priceNeedsMarket),
            (AlertRule(scope: .all, signal: .spread, test: .above(.one)), .spreadOfAll),
            (AlertRule(scope: .all, signal: .value, test: .above(.one)), .valueNeedsPortfolio),
            (AlertRule(scope: .all, signal: .profitRate, test: .above(.one)), .returnNeedsHolding),
            (AlertRule(scope: .portfolio, signal: .price, test: .above(.one)), .notOfPortfolio),
            (AlertRule(scope: .all, signal: .listed, test: .above(.one)), .levelOfState),
            (AlertRule(scope: .all, signal: .strength, test: .becomes(true)), .levelMissing),
            (Self.price(.leaves(low: .one, high: .one)), .emptyBand),
            (Self.price(.above(.zero)), .number(InputError(.zero))),
            (Self.price(.below("-1")), .number(InputError(.negative))),
            (Self.price(.above("1e16")), .number(InputError(.tooLarge(UserInput.cashMax)))),
            (
                AlertRule(scope: .all, signal: .turnover(minutes: 0), test: .above(.one)),
                .minutesOutOfRange
            ),
        ] as [(AlertRule, AlertRuleError.Reason)]
    )
    func refused(rule: AlertRule, reason: AlertRuleError.Reason) {
        #expect(throws: AlertRuleError(reason)) { try rule.validate(at: .noon()) }
    }

    @Test(
        "options out of range are refused",
        arguments: [
            (.again(pause: .seconds(604_801), ticks: 0), nil, nil, .pauseOutOfRange),
            (.again(pause: .milliseconds(1_500), ticks: 0), nil, nil, .pauseOutOfRange),
            (.again(pause: .zero, ticks: 1_001), nil, nil, .ticksOutOfRange),
            (.again(pause: .zero, ticks: -1), nil, nil, .ticksOutOfRange),
            (.once, .noon(), nil, .expired),
            (.once, Timestamp(microseconds: .max), nil, .notATime),
            (.once, nil, "\u{301}a", .note(InputError(.unreadable))),
            (.once, nil, "", .note(InputError(.empty))),
            (.once, nil, " a", .note(InputError(.spacesAround))),
            (.once, nil, "a\nb", .note(InputError(.unreadable))),
        ] as [(AlertRepetition, Timestamp?, String?, AlertRuleError.Reason)]
    )
    func options(
        repetition: AlertRepetition,
        expiresAt: Timestamp?,
        note: String?,
        reason: AlertRuleError.Reason
    ) {
        var rule = Self.price(.above(.one))
        rule.repetition = repetition
        rule.expiresAt = expiresAt
        rule.note = note
        #expect(throws: AlertRuleError(reason)) { try rule.validate(at: .noon()) }
    }

    @Test("a state has no hysteresis")
    func ticksOfState() {
        let rule = AlertRule(
            scope: .all,
            signal: .listed,
            test: .becomes(true),
            repetition: .again(pause: .zero, ticks: 1)
        )
        #expect(throws: AlertRuleError(.ticksOfState)) { try rule.validate(at: .noon()) }
    }

    @Test("a user has room for 200 rules")
    func room() throws {
        try AlertLimits.checkRoom(199)
        #expect(throws: AlertRuleError(.tooManyRules)) { try AlertLimits.checkRoom(200) }
    }

    @Test("a spread rule beyond 30 followed books is refused, and none of a followed book is")
    func books() throws {
        let markets = (0..<31).compactMap { MarketID(symbol: "C\($0)", quote: .krw) }
        func spread(_ scope: AlertScope) -> AlertRule {
            AlertRule(scope: scope, signal: .spread, test: .above(.one))
        }
        var followed: Set<MarketID> = []
        for market in markets.prefix(30) {
            followed = try AlertLimits.books(
                adding: spread(.market(market)),
                favorites: [],
                to: followed
            )
        }
        #expect(followed.count == AlertLimits.booksMax)
        let error = AlertRuleError(.tooManyBooks(followed: 30, more: 31))
        #expect(throws: error) {
            try AlertLimits.books(
                adding: spread(.market(markets[30])),
                favorites: [],
                to: followed
            )
        }
        #expect(error.detail.contains("at most 30 books"))
        let same = try AlertLimits.books(
            adding: spread(.favorites),
            favorites: markets.prefix(3),
            to: followed
        )
        #expect(same == followed)
        let price = AlertLimits.books(of: Self.price(.above(.one)), favorites: markets)
        #expect(price.isEmpty)
    }

    private static func price(_ test: AlertTest) -> AlertRule {
        AlertRule(scope: .market("BTC_KRW"), signal: .price, test: test)
    }
}
