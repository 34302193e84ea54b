public import Domain
import JSON

/// A user's alert rule: a row of ``AlertsViewState``, and the document `alert`, version 1.
public struct AlertRuleViewState: KeyedRow, DocumentState {
    /// `alert`.
    public static let schemaName = "alert"

    /// The rule's number among those of the user, never reused.
    public var id: String
    /// The text form, which a request may send: `BTC_KRW > 150000000 again 10m`.
    public var rule: String
    /// The rule in words, without its note.
    public var ruleText: String
    /// Whether it may still fire.
    public var state: AlertStateLabel
    /// `감시 중`.
    public var stateText: String
    /// The kind of feed on which it was made; others never fire it.
    public var feed: FeedLabel
    /// Exchange time of the creation or of the last change.
    public var createdAt: Timestamp
    /// The time from which on it no longer fires; nil for never.
    public var expiresAt: Timestamp?
    /// The user's note; nil without one.
    public var note: String?
    /// Exchange time of the newest firing since then; nil without one.
    public var lastFiredAt: Timestamp?

    /// Presents a rule.
    ///
    /// - Parameters:
    ///   - rule: the rule.
    ///   - now: exchange time.
    ///   - language: the language of texts.
    public init(_ rule: UserAlertRule, at now: Timestamp, _ language: Language) {
        let state = rule.state(at: now)
        id = String(rule.number)
        self.rule = rule.rule.text
        ruleText = AlertTextPresenter.rule(rule.rule, language)
        self.state = AlertStateLabel(state)
        stateText = AlertTextPresenter.state(state)[language]
        feed = FeedLabel(rule.rule.feed)
        createdAt = rule.createdAt
        expiresAt = rule.rule.expiresAt
        note = rule.rule.note
        lastFiredAt = rule.lastFiredAt
    }

    /// The id.
    public var rowID: String { id }

    /// With a note of maximum length about 900 bytes.
    public var estimatedJSONSize: Int { 512 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("AlertRule", "An alert rule.")
        fields.add("id", \.id, .text(pattern: alertNumberPattern), note: "Never given again.")
        fields.add("rule", \.rule, note: "The whole rule, as requests send it.")
        fields.add("ruleText", \.ruleText, note: "The rule in words, without its note.")
        fields.add(
            "state",
            \.state,
            note: "`fired`: it fires once and did. `expired`: its time is over."
        )
        fields.add("stateText", \.stateText)
        fields.add("feed", \.feed, note: "Data of other feeds never fire it.")
        fields.add("createdAt", \.createdAt, note: "Or changed; only later values fire.")
        fields.add("expiresAt", \.expiresAt, note: "Null if it never expires.")
        fields.add("note", \.note)
        fields.add("lastFiredAt", \.lastFiredAt, note: "Null if it has not fired.")
    }
}

/// Whether a rule may still fire.
public enum AlertStateLabel: String, DocumentValue, CaseIterable {
    /// The rule waits for its condition.
    case active
    /// The rule has fired and does not fire again.
    case fired
    /// The time of the rule is over.
    case expired

    init(_ state: UserAlertRule.State) {
        self =
            switch state {
            case .active: .active
            case .fired: .fired
            case .expired: .expired
            }
    }
}

/// An alert of a user's log.
public struct LoggedAlertViewState: KeyedRow {
    /// Increases with each alert of the user, from 1.
    public var id: String
    /// The id of the rule, which may have been changed or removed since.
    public var alert: String
    /// The rule as it was when it fired, as text.
    public var rule: String
    /// The kind of feed that fired it.
    public var feed: FeedLabel
    /// What happened: `BTC 150,000,000원 이상으로 상승`.
    public var alertText: String
    /// The market; nil for the portfolio.
    public var market: String?
    /// Exchange time of the value.
    public var at: Timestamp
    /// The value that fired, a price, percentage, …; nil for a state.
    public var price: FixedDecimal?
    /// `150,120,000원`; nil for a state.
    public var priceText: String?
    /// Whether the value rose or fell to it; a state that began rose.
    public var direction: AlertDirectionLabel
    /// Whether the alert came late.
    public var late: Bool
    /// Why it is late; nil if it is not.
    public var reason: AlertReasonLabel?
    /// The reason in words; nil if it is not late.
    public var reasonText: String?
    /// When it was stored, by the wall clock of the service.
    public var storedAt: Timestamp
    /// Whether the user has seen it.
    public var seen: Bool

    /// Presents an alert of a log.
    public init(_ logged: LoggedAlert, seen: Bool, _ language: Language) {
        let (alert, rule) = (logged.alert, logged.rule)
        id = String(logged.number)
        self.alert = String(alert.rule.number)
        self.rule = rule.text
        feed = FeedLabel(rule.feed)
        alertText = AlertTextPresenter.alert(alert, of: rule, language)
        market = alert.subject.market?.name
        at = alert.at
        price = rule.signal.isState ? nil : alert.value
        priceText = AlertTextPresenter.value(of: alert, rule, language)
        direction = AlertDirectionLabel(alert.direction)
        late = alert.lateness != nil
        reason = alert.lateness.map(AlertReasonLabel.init)
        reasonText = alert.lateness.map { AlertTextPresenter.lateness($0)[language] }
        storedAt = logged.storedAt
        self.seen = seen
    }

    /// The id.
    public var rowID: String { id }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("LoggedAlert", "An alert that a rule fired.")
        fields.add("id", \.id, .text(pattern: alertNumberPattern), note: "Ascending in time.")
        fields.add(
            "alert",
            \.alert,
            .text(pattern: alertNumberPattern),
            note: "The `id` of the rule, which may be gone."
        )
        fields.add("rule", \.rule, note: "The rule as it was when it fired.")
        fields.add("feed", \.feed)
        fields.add("alertText", \.alertText, note: "What happened, as a sentence.")
        fields.add("market", \.market, .market, note: "Null for the portfolio.")
        fields.add("at", \.at, note: "Exchange time of the first value beyond the level.")
        fields.add(
            "price",
            \.price,
            note: "The value that fired, in the unit of its rule; null for a state."
        )
        fields.add("priceText", \.priceText)
        fields.add("direction", \.direction, note: "A state that begins goes `up`.")
        fields.add("late", \.late)
        fields.add("reason", \.reason, note: "Why it is late; null if it is not.")
        fields.add("reasonText", \.reasonText)
        fields.add("storedAt", \.storedAt, note: "By the clock of the service.")
        fields.add("seen", \.seen)
    }
}

/// The direction in which a value crossed.
public enum AlertDirectionLabel: String, DocumentValue, CaseIterable {
    /// It rose.
    case up
    /// It fell.
    case down

    init(_ direction: Alert.Direction) {
        self =
            switch direction {
            case .up: .up
            case .down: .down
            }
    }
}

/// Why an alert is late.
public enum AlertReasonLabel: String, DocumentValue, CaseIterable {
    /// hoga did not run.
    case away
    /// The feed was interrupted.
    case interrupted
    /// Trades were read again.
    case repaired

    init(_ lateness: Alert.Lateness) {
        self =
            switch lateness {
            case .away: .away
            case .interrupted: .interrupted
            case .repaired: .repaired
            }
    }
}

/// The document `alerts`, version 1: a user's alert rules and newest alerts.
public struct AlertsViewState: StreamedState {
    /// `alerts`.
    public static let schemaName = "alerts"

    /// The rules, in order of creation.
    public var rows: [AlertRuleViewState]
    /// The newest alerts, newest first.
    public var log: [LoggedAlertViewState]
    /// Number of alerts in ``log`` that the user has not seen; nil if alerts are not loaded.
    public var unseen: Int?

    /// Presents alerts.
    ///
    /// - Parameters:
    ///   - alerts: the rules and the log; nil if not loaded.
    ///   - now: exchange time.
    ///   - language: the language of texts.
    public init(_ alerts: UserAlerts?, at now: Timestamp, _ language: Language) {
        rows = alerts?.rules.map { AlertRuleViewState($0, at: now, language) } ?? []
        log =
            alerts.map { alerts in
                alerts.log.map { LoggedAlertViewState($0, seen: alerts.isSeen($0), language) }
            } ?? []
        unseen = alerts?.unseenCount
    }

    /// About 500 bytes a row.
    public var estimatedJSONSize: Int { 64 + (rows.count + log.count) * 500 }

    /// Nothing: rows have no health.
    public mutating func coalesceTimes(of old: Self) {}

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("AlertsState", "A user's alert rules, and the newest alerts.")
        fields.rows("rows", \.rows, insert: .last, max: AlertRule.rulesMax)
        fields.rows("log", \.log, insert: .first, max: UserAlerts.logRowsMax)
        fields.add(
            "unseen",
            \.unseen,
            note: "Alerts of `log` that are not seen; null if alerts are not loaded."
        )
    }
}

/// The document `alert-log`, version 1: a page of a user's alerts.
public struct AlertLogViewState: DocumentState {
    /// `alert-log`.
    public static let schemaName = "alert-log"

    /// The alerts, newest first.
    public var rows: [LoggedAlertViewState]

    /// Presents a page.
    ///
    /// - Parameters:
    ///   - page: the alerts, newest first.
    ///   - alerts: tells which ones the user has seen.
    ///   - language: the language of texts.
    public init(_ page: [LoggedAlert], of alerts: UserAlerts, _ language: Language) {
        rows = page.map { LoggedAlertViewState($0, seen: alerts.isSeen($0), language) }
    }

    /// About 500 bytes a row.
    public var estimatedJSONSize: Int { 32 + rows.count * 500 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("AlertLogState", "A page of the user's alerts, newest first.")
        fields.add("rows", \.rows)
    }
}

/// The numbers of rules and alerts.
let alertNumberPattern = "^[1-9][0-9]{0,18}$"
