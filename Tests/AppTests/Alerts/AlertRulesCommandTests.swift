import Domain
import TestSupport
import Testing

@testable import App

@Suite("hoga alert prints rules and alerts as lines of fields")
struct AlertRulesCommandTests {
    @Test("a rule's line has number, state, feed, last firing and text")
    func rule() {
        var rule = UserAlertRule(
            number: 3,
            rule: .sample("BTC > 150000000 note 매수"),
            createdAt: .noon()
        )
        #expect(
            AlertRulesCommand.line(rule, at: .noon(1))
                == "3\tactive\tlive\t-\tBTC_KRW > 150000000 note 매수"
        )
        rule.lastFiredAt = .noon(2)
        rule.rule.feed = .simulated
        #expect(
            AlertRulesCommand.line(rule, at: .noon(3))
                == "3\tfired\tsimulated\t2026-11-20T12:00:02.000000+09:00\t"
                + "BTC_KRW > 150000000 note 매수"
        )
    }

    @Test("an alert's line has number, time, market, value, lateness and sentence")
    func alert() {
        let fields = AlertRulesCommand.line(.sample(7, lateness: .away), .english)
            .split(separator: "\t", omittingEmptySubsequences: false)
        #expect(fields.count == 6)
        #expect(fields[0] == "7")
        #expect(fields[1] == "2026-11-20T12:00:07.000000+09:00")
        #expect(fields[2] == "BTC_KRW")
        #expect(fields[3] == "150120000")
        #expect(fields[4] == "away")
        #expect(fields[5].contains("150,000,000"))
        let portfolio = LoggedAlert.sample(8, "portfolio return < -5%", value: "-5.1")
        #expect(AlertRulesCommand.line(portfolio, .korean).contains("\tportfolio\t-5.1\t-\t"))
    }

    @Test("the feed of a rule is that of the configured exchange")
    func feeds() {
        #expect(ExchangeChoice.bithumb.feed == .live)
        #expect(ExchangeChoice.simulated.feed == .simulated)
        #expect(ExchangeChoice.replay(path: "/x").feed == .replay)
    }
}
