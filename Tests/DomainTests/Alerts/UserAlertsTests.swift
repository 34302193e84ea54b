import Domain
import TestSupport
import Testing

@Suite("Alert rules of a user's record")
struct UserAlertsTests {
    private static let now = Timestamp.noon()

    private func rule(_ text: String) throws -> AlertRule {
        try AlertRule.parse(text, feed: .live)
    }

    private func record(with texts: String...) throws -> UserRecord {
        var record = UserRecord(name: "kim")
        for text in texts {
            record = try record.applying(.addAlert(try rule(text), at: Self.now))
        }
        return record
    }

    @Test("rules keep the order of creation, and a removed rule's number is never given again")
    func numbers() throws {
        var record = try record(with: "BTC > 1", "ETH > 2")
        #expect(record.alerts.value.rules.map(\.number) == [1, 2])
        record = try record.applying(.removeAlert(2, expecting: nil))
        record = try record.applying(.addAlert(try rule("XRP > 3"), at: Self.now))
        #expect(record.alerts.value.rules.map(\.number) == [1, 4])
        #expect(record.alerts.revision == 4)
        #expect(record.alerts.value[4]?.rule.text == "XRP_KRW > 3")
        #expect(record.alerts.value[2] == nil)
    }

    @Test("a replaced rule has not fired")
    func replacing() throws {
        var record = try record(with: "BTC > 1")
        record.alerts.value.rules[0].lastFiredAt = Self.now
        #expect(record.alerts.value.rules[0].state(at: Self.now) == .fired)
        let change = UserChange.replaceAlert(
            1,
            by: try rule("BTC > 2"),
            at: .noon(1),
            expecting: record.alerts.revision
        )
        record = try record.applying(change)
        let replaced = UserAlertRule(number: 1, rule: try rule("BTC > 2"), createdAt: .noon(1))
        #expect(record.alerts.value.rules == [replaced])
        #expect(replaced.state(at: Self.now) == .active)
        // The revision is another one now.
        #expect(throws: StoreFailure.conflict(in: "alerts")) { try record.applying(change) }
    }

    @Test("a rule that fires again or for each market stays active, an expired one does not")
    func states() throws {
        func state(_ text: String, fired: Bool) throws -> UserAlertRule.State {
            let fired = fired ? Self.now : nil
            return UserAlertRule(
                number: 1,
                rule: try rule(text),
                createdAt: Self.now,
                lastFiredAt: fired
            ).state(at: Self.now)
        }
        #expect(try state("BTC > 1", fired: false) == .active)
        #expect(try state("BTC > 1", fired: true) == .fired)
        #expect(try state("BTC > 1 again 1m", fired: true) == .active)
        #expect(try state("favorites 24H > 1", fired: true) == .active)
        #expect(try state("portfolio > 1", fired: true) == .fired)
        #expect(try state("BTC > 1 until 2001-01-01", fired: false) == .expired)
    }

    @Test("a user has at most 200 rules, and an invalid rule is refused with the remedy")
    func refusals() throws {
        var record = UserRecord(name: "kim")
        for level in 1...AlertRule.rulesMax {
            record = try record.applying(.addAlert(try rule("BTC > \(level)"), at: Self.now))
        }
        let more = UserChange.addAlert(try rule("BTC > 1"), at: Self.now)
        let tooMany = #expect(throws: StoreFailure.self) { try record.applying(more) }
        #expect(tooMany?.detail == "alerts: a user has at most 200 alerts. Remove one first")
        let late = UserChange.addAlert(try rule("BTC > 1 until 2001-01-01"), at: Self.now)
        let expired = #expect(throws: StoreFailure.self) {
            try UserRecord(name: "kim").applying(late)
        }
        #expect(expired?.code == .refused)
        let unknown = UserChange.replaceAlert(
            7,
            by: try rule("BTC > 1"),
            at: Self.now,
            expecting: nil
        )
        let missing = #expect(throws: StoreFailure.self) {
            try UserRecord(name: "kim").applying(unknown)
        }
        #expect(missing?.detail.hasPrefix("alerts: there is no alert 7") == true)
    }

    @Test("alerts are seen up to the newest, and never unseen again")
    func seen() throws {
        var record = try record(with: "BTC > 1")
        let alert = Alert(
            rule: AlertRuleID(1, of: .local),
            subject: AlertSubject("BTC_KRW"),
            at: Self.now,
            value: FixedDecimal(2),
            direction: .up
        )
        record.alerts.value.log = [2, 1].map {
            LoggedAlert(
                number: $0,
                alert: alert,
                rule: record.alerts.value.rules[0].rule,
                storedAt: Self.now
            )
        }
        #expect(record.alerts.value.unseenCount == 2)
        record = try record.applying(.markAlertsSeen(through: 1))
        #expect(record.alerts.value.unseenCount == 1)
        let same = try record.applying(.markAlertsSeen(through: 0))
        #expect(same == record)
        record = try record.applying(.markAlertsSeen(through: 99))
        #expect(record.alerts.value.seenThrough == 2)
    }

    @Test("the journal names the rule, never its level")
    func journal() throws {
        let rule = try rule("BTC > 150000000 note secret")
        let changes: [(UserChange, String, String?)] = [
            (.addAlert(rule, at: Self.now), "alert.add", "BTC_KRW"),
            (.replaceAlert(3, by: rule, at: Self.now, expecting: nil), "alert.replace", "3"),
            (.removeAlert(3, expecting: nil), "alert.remove", "3"),
            (.markAlertsSeen(through: 5), "alert.see", nil),
        ]
        for (change, kind, subject) in changes {
            #expect(change.kind == kind)
            #expect(change.subject == subject)
        }
    }
}
