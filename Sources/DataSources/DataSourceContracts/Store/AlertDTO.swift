/// A row of `alert_rules`.
public struct AlertRuleDTO: Sendable, Hashable {
    /// The number among the rules of the user, from 1.
    public var number: Int64
    /// The text form of the rule: `BTC_KRW > 150000000 again 10m`.
    public var text: String
    /// `live`, `simulated` or `replay`.
    public var feed: String
    /// The market whose order book the rule needs, `favorites` for those of the user's favorites;
    /// nil if it needs none.
    public var books: String?
    /// Exchange time of the creation or of the last change, in microseconds since 1970 UTC.
    public var createdAt: Int64
    /// Exchange time of the newest firing since then; nil without one.
    ///
    /// A store sets it with an alert and clears it with a change.
    public var firedAt: Int64?

    /// Makes a row.
    public init(
        number: Int64,
        text: String,
        feed: String,
        books: String?,
        createdAt: Int64,
        firedAt: Int64? = nil
    ) {
        self.number = number
        self.text = text
        self.feed = feed
        self.books = books
        self.createdAt = createdAt
        self.firedAt = firedAt
    }
}

/// An alert that a rule fired.
///
/// User, rule, subject, time and direction identify it.
public struct AlertDTO: Sendable, Hashable {
    /// The number of the rule.
    public var rule: Int64
    /// `BTC_KRW`; nil for the portfolio.
    public var market: String?
    /// Exchange time in microseconds since 1970 UTC.
    public var at: Int64
    /// A canonical decimal: the value that fired; `0` or `1` of a state.
    public var value: String
    /// Whether the value rose to it.
    public var isRise: Bool
    /// `away`, `interrupted` or `repaired`; nil if the alert is not late.
    public var lateness: String?

    /// Makes an alert.
    public init(
        rule: Int64,
        market: String?,
        at: Int64,
        value: String,
        isRise: Bool,
        lateness: String?
    ) {
        self.rule = rule
        self.market = market
        self.at = at
        self.value = value
        self.isRise = isRise
        self.lateness = lateness
    }
}

/// A row of `alert_log`.
public struct AlertLogDTO: Sendable, Hashable {
    /// The newest rows of a user that a record has.
    public static let recordRowsMax = 100
    /// The newest rows of a user that a store keeps.
    public static let storedRowsMax = 1_000

    /// Increases with each alert of the user, from 1.
    public var number: Int64
    /// The alert.
    public var alert: AlertDTO
    /// The rule's text form when it fired.
    public var text: String
    /// The feed of the rule: `live`, `simulated` or `replay`.
    public var feed: String
    /// When it was stored, in microseconds since 1970 UTC, by the wall clock of the writer.
    public var storedAt: Int64

    /// Makes a row.
    public init(number: Int64, alert: AlertDTO, text: String, feed: String, storedAt: Int64) {
        self.number = number
        self.alert = alert
        self.text = text
        self.feed = feed
        self.storedAt = storedAt
    }
}

/// The state of a rule for one subject after a firing: a row of `alert_states`.
public struct AlertStateDTO: Sendable, Hashable {
    /// The number of the rule.
    public var rule: Int64
    /// `BTC_KRW`; nil for the portfolio.
    public var market: String?
    /// Four fields that only `Domain` reads.
    public var text: String

    /// Makes a row.
    public init(rule: Int64, market: String?, text: String) {
        self.rule = rule
        self.market = market
        self.text = text
    }
}

/// A user with alert rules, and the data that the rules depend on.
public struct AlertOwnerDTO: Sendable, Hashable {
    /// The user's number.
    public var user: Int64
    /// The record of the user, without the log.
    public var record: UserRecordDTO
    /// The states of the rules that have fired.
    public var states: [AlertStateDTO]

    /// Makes an owner.
    public init(user: Int64, record: UserRecordDTO, states: [AlertStateDTO]) {
        self.user = user
        self.record = record
        self.states = states
    }
}

/// An alert to store, and the state that its rule has afterwards.
public struct NewAlertDTO: Sendable, Hashable {
    /// The user's number.
    public var user: Int64
    /// The alert.
    public var alert: AlertDTO
    /// The rule's ``AlertRuleDTO/createdAt``: a rule that was changed since does not fire.
    public var createdAt: Int64
    /// The state of the rule for this subject afterwards; see ``AlertStateDTO/text``.
    public var state: String

    /// Makes a row.
    public init(user: Int64, alert: AlertDTO, createdAt: Int64, state: String) {
        self.user = user
        self.alert = alert
        self.createdAt = createdAt
        self.state = state
    }
}
