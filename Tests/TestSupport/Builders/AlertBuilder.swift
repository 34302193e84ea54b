public import Domain

extension LoggedAlert {
    /// An alert of a user's log, fired by a rule of the same number, a second a number after noon;
    /// a rule of several markets fired for XRP.
    ///
    /// An invalid rule traps.
    public static func sample(
        _ number: Int64,
        _ text: String = "BTC > 150000000",
        value: FixedDecimal = "150120000",
        lateness: Alert.Lateness? = nil
    ) -> LoggedAlert {
        let rule = AlertRule.sample(text)
        let subject: AlertSubject =
            switch rule.scope {
            case .market(let market): AlertSubject(rule.signal, of: market, owner: .local)
            case .favorites, .all: AlertSubject("XRP_KRW")
            case .portfolio: AlertSubject(portfolioOf: .local)
            }
        let direction: Alert.Direction =
            switch rule.test {
            case .below, .becomes(false): .down
            case .above, .crosses, .leaves, .becomes(true): .up
            }
        return LoggedAlert(
            number: number,
            alert: Alert(
                rule: AlertRuleID(number, of: .local),
                subject: subject,
                at: .noon(Int(number)),
                value: value,
                direction: direction,
                lateness: lateness
            ),
            rule: rule,
            storedAt: .noon(Int(number))
        )
    }
}

extension AlertRule {
    /// The rule of a text; an invalid one traps.
    public static func sample(_ text: String) -> AlertRule {
        do throws(AlertRuleError) {
            return try parse(text, feed: .live)
        } catch {
            preconditionFailure("“\(text)” is no rule: \(error.detail)")
        }
    }
}

extension UserAlerts {
    /// Alerts whose log has the numbers of a range, or the newest ones that a record holds.
    public static func logged(_ numbers: ClosedRange<Int64>) -> UserAlerts {
        var alerts = UserAlerts()
        alerts.log = numbers.suffix(logRowsMax).reversed().map { .sample($0) }
        return alerts
    }
}
