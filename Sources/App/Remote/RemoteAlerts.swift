import Domain
import ViewStates

extension UserAlerts {
    /// Reads the document of a server.
    ///
    /// Rules and alerts of a later version that this one cannot read are left out, as a store does.
    ///
    /// - Parameters:
    ///   - view: the document.
    ///   - user: the user's number on the server.
    init(_ view: AlertsViewState, of user: Int64) {
        self.init()
        let owner = UserID(user)
        rules = view.rows.compactMap(UserAlertRule.init)
        log = view.log.compactMap { LoggedAlert($0, owner: owner) }
        seenThrough = view.log.lazy.filter(\.seen).compactMap { Int64($0.id) }.max() ?? 0
    }
}

extension UserAlertRule {
    /// Reads a row; nil for an unknown rule.
    init?(_ row: AlertRuleViewState) {
        guard let number = Int64(row.id),
            let rule = try? AlertRule.parse(row.rule, feed: FeedKind(row.feed))
        else { return nil }
        self.init(
            number: number,
            rule: rule,
            createdAt: row.createdAt,
            lastFiredAt: row.lastFiredAt
        )
    }
}

extension LoggedAlert {
    /// Reads a row; nil for an alert of an unknown rule.
    init?(_ row: LoggedAlertViewState, owner: UserID) {
        guard let number = Int64(row.id), let ruleNumber = Int64(row.alert),
            let rule = try? AlertRule.parse(row.rule, feed: FeedKind(row.feed))
        else { return nil }
        let subject: AlertSubject
        if let name = row.market {
            guard let market = MarketID(name: name) else { return nil }
            subject = AlertSubject(rule.signal, of: market, owner: owner)
        } else {
            subject = AlertSubject(portfolioOf: owner)
        }
        let isUp = row.direction == .up
        let alert = Alert(
            rule: AlertRuleID(ruleNumber, of: owner),
            subject: subject,
            at: row.at,
            // A state has no value in documents.
            value: row.price ?? (isUp ? .one : .zero),
            direction: isUp ? .up : .down,
            lateness: row.reason.map(Alert.Lateness.init)
        )
        self.init(number: number, alert: alert, rule: rule, storedAt: row.storedAt)
    }
}

extension Alert.Lateness {
    fileprivate init(_ reason: AlertReasonLabel) {
        self =
            switch reason {
            case .away: .away
            case .interrupted: .interrupted
            case .repaired: .repaired
            }
    }
}

extension FeedKind {
    fileprivate init(_ label: FeedLabel) {
        self =
            switch label {
            case .live: .live
            case .simulated: .simulated
            case .replay: .replay
            }
    }
}
