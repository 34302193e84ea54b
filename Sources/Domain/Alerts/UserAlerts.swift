/// 알림: the alert rules of a user and the newest alerts that they fired.
public struct UserAlerts: Sendable, Hashable {
    /// The most logged alerts of a record; a store keeps more.
    public static let logRowsMax = 100

    /// The rules, in order of creation.
    public var rules: [UserAlertRule]
    /// The newest alerts, newest first, at most ``logRowsMax``.
    public var log: [LoggedAlert]
    /// The number of the newest alert that the user has seen; 0 before the first.
    public var seenThrough: Int64

    /// No rules and no alerts.
    public init() {
        rules = []
        log = []
        seenThrough = 0
    }

    /// The rule of a number.
    public subscript(number: Int64) -> UserAlertRule? {
        rules.first { $0.number == number }
    }

    /// Number of logged alerts that the user has not seen, at most ``logRowsMax``.
    public var unseenCount: Int { log.count { !isSeen($0) } }

    /// The newest alerts before one, at most `count`; nil for the newest of all.
    public func log(before number: Int64?, count: Int) -> [LoggedAlert] {
        Array(log.lazy.filter { row in number.map { row.number < $0 } ?? true }.prefix(count))
    }

    /// Number of rules whose time is over: it tells the states of one revision apart.
    public func expiredCount(at now: Timestamp) -> Int {
        rules.count { $0.rule.expiresAt.map { $0 <= now } ?? false }
    }

    /// Whether the user has seen an alert.
    public func isSeen(_ alert: LoggedAlert) -> Bool { alert.number <= seenThrough }
}

/// A rule of a user's record.
public struct UserAlertRule: Sendable, Hashable {
    /// Whether a rule may still fire.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// The rule waits for its condition.
        case active
        /// The rule has fired and does not fire again.
        case fired
        /// The time of the rule is over.
        case expired
    }

    /// The number among the rules of the user, from 1; never given twice.
    public var number: Int64
    /// The rule.
    public var rule: AlertRule
    /// Exchange time of the creation or of the last change; only later values fire.
    public var createdAt: Timestamp
    /// Exchange time of the newest firing since then; nil without one.
    public var lastFiredAt: Timestamp?

    /// Makes a rule that has not fired.
    public init(
        number: Int64,
        rule: AlertRule,
        createdAt: Timestamp,
        lastFiredAt: Timestamp? = nil
    ) {
        self.number = number
        self.rule = rule
        self.createdAt = createdAt
        self.lastFiredAt = lastFiredAt
    }

    /// Whether the rule may still fire at an exchange time.
    ///
    /// A rule of favorites or of all markets that fires once does so for each market.
    public func state(at now: Timestamp) -> State {
        if lastFiredAt != nil, rule.repetition == .once, rule.scope.hasOneSubject { return .fired }
        return rule.expiresAt.map { $0 <= now } ?? false ? .expired : .active
    }
}

/// An alert of a user's log.
public struct LoggedAlert: Sendable, Hashable {
    /// Increases with each alert of the user, from 1.
    public var number: Int64
    /// The alert.
    public var alert: Alert
    /// The rule as it was when it fired.
    public var rule: AlertRule
    /// When it was stored, by the local wall clock.
    public var storedAt: Timestamp

    /// Makes a logged alert.
    public init(number: Int64, alert: Alert, rule: AlertRule, storedAt: Timestamp) {
        self.number = number
        self.alert = alert
        self.rule = rule
        self.storedAt = storedAt
    }
}

extension AlertScope {
    /// Whether a rule of the scope watches one market or one portfolio.
    var hasOneSubject: Bool {
        switch self {
        case .market, .portfolio: true
        case .favorites, .all: false
        }
    }
}

// MARK: Changes

extension Revised<UserAlerts> {
    /// The alerts with one more rule, whose number is the revision of this change.
    func adding(_ rule: AlertRule, at now: Timestamp) throws(StoreFailure) -> UserAlerts {
        try rule.check(at: now)
        do throws(AlertRuleError) {
            try AlertLimits.checkRoom(value.rules.count)
        } catch {
            throw StoreFailure(.refused, "alerts: \(error.detail)")
        }
        var alerts = value
        alerts.rules.append(UserAlertRule(number: revision + 1, rule: rule, createdAt: now))
        return alerts
    }

    /// The alerts with another rule of the same number, which has not fired.
    func replacing(
        _ number: Int64,
        by rule: AlertRule,
        at now: Timestamp
    ) throws(StoreFailure) -> UserAlerts {
        try rule.check(at: now)
        guard let index = value.rules.firstIndex(where: { $0.number == number }) else {
            throw StoreFailure(
                .refused,
                "alerts: there is no alert \(number). 'hoga alert list' prints the numbers"
            )
        }
        var alerts = value
        alerts.rules[index] = UserAlertRule(number: number, rule: rule, createdAt: now)
        return alerts
    }

    /// The alerts without a rule; the log keeps what it fired.
    func removing(_ number: Int64) -> UserAlerts {
        var alerts = value
        alerts.rules.removeAll { $0.number == number }
        return alerts
    }

    /// The alerts, seen up to a number of the log.
    func seen(through number: Int64) -> UserAlerts {
        var alerts = value
        alerts.seenThrough = max(value.seenThrough, min(number, value.log.first?.number ?? 0))
        return alerts
    }
}

extension AlertRule {
    fileprivate func check(at now: Timestamp) throws(StoreFailure) {
        do throws(AlertRuleError) {
            try validate(at: now)
        } catch {
            throw StoreFailure(.refused, "alerts: \(error.detail)")
        }
    }
}
