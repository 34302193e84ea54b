import Concurrency
import Domain
import ViewStates

extension Command {
    private static let alertNumber = CommandOperand(
        "NUMBER",
        "the number that 'hoga alert list' prints",
        example: "3"
    )
    private static let alertRule = CommandOperand(
        "RULE...",
        "the rule, in quotes, because > redirects the output of a shell",
        example: "'BTC > 150000000'",
        isRepeated: true
    )

    static let alertList = onStore(
        "alert list",
        "List your alert rules: number, state, feed, last firing and text",
        requires: .ownRecord
    ) { access, _ throws(ProgramError) in
        try await AlertRulesCommand(access: access).list()
    }

    static let alertAdd = onStore(
        "alert add",
        "Add an alert rule, e.g. 'BTC > 150000000'; docs/alerts.md has the grammar",
        operands: [alertRule],
        settings: [.exchange, .language],
        requires: .ownRecord
    ) { access, invocation throws(ProgramError) in
        try await AlertRulesCommand(access: access).add(invocation.operands)
    }

    static let alertRemove = onStore(
        "alert remove",
        "Remove an alert rule",
        operands: [alertNumber],
        requires: .ownRecord
    ) { access, invocation throws(ProgramError) in
        try await AlertRulesCommand(access: access).remove(invocation.required(0))
    }

    static let alertTest = onStore(
        "alert test",
        "Check an alert rule and print its meaning; nothing is stored",
        operands: [alertRule],
        settings: [.exchange, .language],
        requires: .ownRecord
    ) { access, invocation throws(ProgramError) in
        try await AlertRulesCommand(access: access).test(invocation.operands)
    }

    static let alertLog = onStore(
        "alert log",
        "Print the newest alerts, oldest first",
        options: [.follow],
        settings: [.language],
        requires: .ownRecord
    ) { access, invocation throws(ProgramError) in
        try await AlertRulesCommand(access: access).log(follows: invocation.has(.follow))
    }
}

/// `hoga alert`: the user's alert rules and the alerts that they fired.
struct AlertRulesCommand: Sendable {
    /// The time between two readings with `--follow`.
    private static let followInterval: Duration = .seconds(1)

    let access: StoreAccess

    /// `list`: number, state, feed, time of the last firing and text, separated by tabs; `-` for
    /// none.
    func list() async throws(ProgramError) {
        let rules = try await access.record().alerts.value.rules
        if rules.isEmpty {
            Console.note("no alert rules; add one with 'hoga alert add RULE'")
        }
        let now = SystemSources.now()
        for rule in rules { try Console.line(Self.line(rule, at: now)) }
    }

    /// `add`: adds a rule and prints its line.
    func add(_ words: [String]) async throws(ProgramError) {
        let rule = try await parse(words)
        if case .market(let market) = rule.scope,
            let warning = try FavoritesCommand.check(market, among: await access.markets())
        {
            Console.note("hoga: \(warning)")
        }
        let record = try await access.perform(.addAlert(rule, at: SystemSources.now()))
        guard let added = record.alerts.value.rules.last else { return }
        try Console.line(Self.line(added, at: SystemSources.now()))
    }

    /// `remove`: removes a rule; the log keeps its alerts.
    func remove(_ text: String) async throws(ProgramError) {
        guard let number = Int64(text), number > 0 else {
            throw ProgramError(.usage, "NUMBER must be a whole number, 1 or more")
        }
        guard try await access.record().alerts.value[number] != nil else {
            throw ProgramError(
                .usage,
                "there is no alert rule \(number); 'hoga alert list' prints the numbers"
            )
        }
        try await access.perform(.removeAlert(number, expecting: nil))
    }

    /// `test`: prints the rule's text form and its meaning.
    func test(_ words: [String]) async throws(ProgramError) {
        let rule = try await parse(words)
        do throws(AlertRuleError) {
            try rule.validate(at: SystemSources.now())
        } catch {
            throw ProgramError(.usage, error.detail)
        }
        try Console.line(rule.text)
        try Console.line(AlertTextPresenter.rule(rule, access.configuration.printedLanguage))
    }

    /// `log`: number, exchange time, market, value, lateness and what happened, separated by tabs.
    ///
    /// - Parameter follows: whether new alerts follow until the program is interrupted.
    /// - Throws: ``ProgramError``: as the store does.
    func log(follows: Bool) async throws(ProgramError) {
        var last: Int64 = 0
        while true {
            let alerts = try await access.record().alerts.value
            for alert in alerts.log.reversed() where alert.number > last {
                try Console.line(Self.line(alert, access.configuration.printedLanguage))
            }
            last = max(last, alerts.log.first?.number ?? 0)
            guard follows else {
                if last == 0 { Console.note("no alert has fired yet") }
                return
            }
            do {
                try await ContinuousClock().sleep(for: Self.followInterval)
            } catch {
                return
            }
        }
    }

    private func parse(_ words: [String]) async throws(ProgramError) -> AlertRule {
        do throws(AlertRuleError) {
            return try AlertRule.parse(
                words.joined(separator: " "),
                feed: access.configuration.exchange.feed,
                markets: await access.markets()
            )
        } catch {
            throw ProgramError(.usage, error.detail)
        }
    }

    /// A rule as one line.
    static func line(_ rule: UserAlertRule, at now: Timestamp) -> String {
        [
            "\(rule.number)", rule.state(at: now).rawValue, rule.rule.feed.rawValue,
            rule.lastFiredAt.map { TimeText.iso($0) } ?? "-", rule.rule.text,
        ].joined(separator: "\t")
    }

    /// An alert as one line.
    static func line(_ logged: LoggedAlert, _ language: Language) -> String {
        let alert = logged.alert
        return [
            "\(logged.number)", TimeText.iso(alert.at),
            alert.subject.market?.name ?? "portfolio", alert.value.canonicalText,
            alert.lateness?.rawValue ?? "-",
            AlertTextPresenter.alert(alert, of: logged.rule, language),
        ].joined(separator: "\t")
    }
}

extension ExchangeChoice {
    /// The kind of feed that the choice leads to.
    ///
    /// A server that says that it is a simulator is one whatever the choice.
    var feed: FeedKind {
        switch self {
        case .bithumb: .live
        case .simulated: .simulated
        case .replay: .replay
        }
    }
}
