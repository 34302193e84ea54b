public import Domain

extension UserAlerts {
    /// Adds a rule that was made at noon; its number follows the last one.
    public mutating func add(_ text: String, at time: Timestamp = .noon()) {
        guard let rule = try? AlertRule.parse(text, feed: .live) else {
            preconditionFailure("\(text) is a rule")
        }
        let number = (rules.last?.number ?? 0) + 1
        rules.append(UserAlertRule(number: number, rule: rule, createdAt: time))
    }

    /// Logs a firing of a rule as a store does, whose newest alerts a record has.
    ///
    /// - Parameters:
    ///   - number: the rule.
    ///   - owner: its user.
    ///   - market: the market; nil for the portfolio.
    ///   - value: the value that fired.
    ///   - isRise: whether it rose.
    ///   - time: exchange time.
    ///   - lateness: why it is late.
    /// - Returns: the row.
    @discardableResult
    public mutating func fire(
        _ number: Int64,
        of owner: UserID,
        _ market: MarketID?,
        _ value: FixedDecimal,
        isRise: Bool = true,
        at time: Timestamp = .noon(),
        lateness: Alert.Lateness? = nil
    ) -> LoggedAlert {
        guard let index = rules.firstIndex(where: { $0.number == number }) else {
            preconditionFailure("there is a rule \(number)")
        }
        rules[index].lastFiredAt = time
        let rule = rules[index].rule
        let alert = Alert(
            rule: AlertRuleID(number, of: owner),
            subject: market.map { AlertSubject(rule.signal, of: $0, owner: owner) }
                ?? AlertSubject(portfolioOf: owner),
            at: time,
            value: value,
            direction: isRise ? .up : .down,
            lateness: lateness
        )
        let row = LoggedAlert(
            number: (log.first?.number ?? 0) + 1,
            alert: alert,
            rule: rule,
            storedAt: time.advanced(by: .milliseconds(20))
        )
        log = Array(([row] + log).prefix(Self.logRowsMax))
        return row
    }

    /// Rules in each state and alerts of each kind, the older ones seen.
    public static func sample(of owner: UserID) -> UserAlerts {
        var alerts = UserAlerts()
        alerts.add("BTC > 150000000 again 10m")
        alerts.add("favorites deposit closes note 입금 확인")
        alerts.add("portfolio return < -5% until 2026-11-20T12:00:01")
        alerts.add("ETH_BTC 24H -3..3")
        alerts.add("BTC spread > 10bp until 2026-12-31T09:00")
        alerts.fire(2, of: owner, "XRP_KRW", "0", isRise: false, at: .noon(1), lateness: .away)
        alerts.fire(3, of: owner, nil, "-5.1", isRise: false, at: .noon(1), lateness: .interrupted)
        alerts.fire(4, of: owner, "ETH_BTC", "3.25", at: .noon(2), lateness: .repaired)
        alerts.seenThrough = 2
        alerts.fire(1, of: owner, "BTC_KRW", "150012000", at: .noon(3))
        return alerts
    }
}
