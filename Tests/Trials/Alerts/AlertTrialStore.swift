import Domain

/// The rules of a user, the firings and the values that all processes share, and which process
/// stores alerts.
struct AlertTrialStore {
    /// The user with rules and their newest stored firings.
    private(set) var owner = AlertOwner(id: .local)
    /// Grows with each change of the user.
    private(set) var revision = 0
    /// The values that were saved last.
    var values: AlertBookState?
    /// The number of the process that stores alerts; nil while none does.
    private(set) var leader: Int?
    /// Counts the terms of leaders.
    private(set) var term = 0
    private var alerts: [Alert] = []

    /// Adds a rule.
    mutating func add(_ rule: AlertRule, at now: Timestamp) {
        let number = Int64(owner.rules.count + 1)
        owner.rules.append(UserAlertRule(number: number, rule: rule, createdAt: now))
        revision += 1
    }

    /// Stores an alert.
    mutating func store(_ found: FiredAlert) {
        alerts.append(found.alert)
        owner.fired[found.alert.rule.number, default: [:]][found.alert.subject] = found.state
        revision += 1
    }

    /// The alerts that were stored since the last call.
    mutating func takeAlerts() -> [Alert] {
        defer { alerts = [] }
        return alerts
    }

    /// Lets a process lead from now on, or none.
    mutating func lead(by leader: Int?) {
        self.leader = leader
        if leader != nil { term += 1 }
    }
}
