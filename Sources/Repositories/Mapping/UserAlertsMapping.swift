import DataSourceContracts
import Domain

/// Maps the stored alert rules and alerts of a user to entities and back.
enum UserAlertsMapping {
    /// Maps rows.
    ///
    /// - Returns: the alerts, and the number of rows skipped because they are unreadable.
    static func alerts(
        _ dto: UserRecordDTO,
        of user: UserID
    ) -> (alerts: UserAlerts, skipped: Int) {
        var alerts = UserAlerts()
        alerts.rules = dto.alertRules.compactMap(rule)
        alerts.log = dto.alertLog.compactMap { logged($0, of: user) }
        alerts.seenThrough = dto.alertsSeen
        let skipped = dto.alertRules.count + dto.alertLog.count
        return (alerts, skipped - alerts.rules.count - alerts.log.count)
    }

    /// Maps a rule; nil if it is unreadable.
    static func rule(_ row: AlertRuleDTO) -> UserAlertRule? {
        parsed(row.text, row.feed).map { rule in
            UserAlertRule(
                number: row.number,
                rule: rule,
                createdAt: Timestamp(microseconds: row.createdAt),
                lastFiredAt: row.firedAt.map(Timestamp.init(microseconds:))
            )
        }
    }

    /// Maps a row of the log; nil if it is unreadable.
    static func logged(_ row: AlertLogDTO, of user: UserID) -> LoggedAlert? {
        guard let rule = parsed(row.text, row.feed),
            let alert = alert(row.alert, of: rule, user)
        else { return nil }
        return LoggedAlert(
            number: row.number,
            alert: alert,
            rule: rule,
            storedAt: Timestamp(microseconds: row.storedAt)
        )
    }

    /// Writes the rules and the mark of what was seen; unreadable rows stay.
    static func write(
        _ new: UserAlerts,
        replacing old: UserAlerts,
        into row: inout UserRecordDTO
    ) {
        let known = Dictionary(old.rules.map { ($0.number, $0) }) { _, last in last }
        let kept = Set(new.rules.map(\.number))
        row.alertRules.removeAll { known[$0.number] != nil && !kept.contains($0.number) }
        for rule in new.rules where known[rule.number] != rule {
            row.alertRules.removeAll { $0.number == rule.number }
            row.alertRules.append(Self.row(rule))
        }
        row.alertRules.sort { $0.number < $1.number }
        row.alertsSeen = new.seenThrough
    }

    /// The subject of an alert in the store: a market, or nil for the portfolio.
    static func subject(
        _ market: String?,
        of signal: AlertSignal,
        _ user: UserID
    ) -> AlertSubject? {
        guard let market else { return AlertSubject(portfolioOf: user) }
        return MarketID(name: market).map { AlertSubject(signal, of: $0, owner: user) }
    }

    private static func parsed(_ text: String, _ feed: String) -> AlertRule? {
        FeedKind(rawValue: feed).flatMap { try? AlertRule.parse(text, feed: $0) }
    }

    private static func alert(
        _ row: AlertDTO,
        of rule: AlertRule,
        _ user: UserID
    ) -> Alert? {
        guard let subject = subject(row.market, of: rule.signal, user),
            let value = try? FixedDecimal(parsing: row.value)
        else { return nil }
        var lateness: Alert.Lateness?
        if let text = row.lateness {
            guard let known = Alert.Lateness(rawValue: text) else { return nil }
            lateness = known
        }
        return Alert(
            rule: AlertRuleID(row.rule, of: user),
            subject: subject,
            at: Timestamp(microseconds: row.at),
            value: value,
            direction: row.isRise ? .up : .down,
            lateness: lateness
        )
    }

    private static func row(_ rule: UserAlertRule) -> AlertRuleDTO {
        AlertRuleDTO(
            number: rule.number,
            text: rule.rule.text,
            feed: rule.rule.feed.rawValue,
            books: rule.rule.signal == .spread ? rule.rule.scope.text : nil,
            createdAt: rule.createdAt.microseconds,
            firedAt: rule.lastFiredAt?.microseconds
        )
    }
}
