import Domain
import UseCases
import ViewStates

extension UserService {
    /// Makes or replaces a rule, or reads a page of the log.
    func answer(
        _ request: AlertRequest,
        _ call: RoutedRequest,
        _ grant: TokenGrant
    ) async throws(StoreFailure) -> RouteResponse {
        let now = exchangeTime
        switch request {
        case .log(let page): return try await log(page, of: grant.user)
        case .add(let text, let language):
            let rule: AlertRule
            do throws(AlertRuleError) {
                rule = try self.rule(text, at: now)
            } catch {
                return .problem(.invalidRule(error))
            }
            let change = RequestedChange(.addAlert(rule, at: now))
            return try await make(change, grant, call.permit) { state in
                // The newest of equal rules.
                let made = state.record.alerts.value.rules.last {
                    $0.rule == rule && $0.createdAt == now
                }
                guard let made else { return .problem(.removedAlert) }
                var response = alert(made, state, at: now, language)
                response.status = 201
                response.headers = [
                    (name: "Location", value: "\(call.route.template)/\(made.number)")
                ]
                return response
            }
        case .replace(let number, let text, let precondition, let language):
            let rule: AlertRule
            do throws(AlertRuleError) {
                rule = try self.rule(text, at: now)
            } catch {
                return .problem(.invalidRule(error))
            }
            let change = RequestedChange(
                .replaceAlert(number, by: rule, at: now, expecting: nil),
                precondition
            )
            return try await make(change, grant, call.permit) { state in
                guard let changed = state.record.alerts.value[number] else {
                    return .problem(.removedAlert)
                }
                return alert(changed, state, at: now, language)
            }
        }
    }

    /// Exchange time now.
    var exchangeTime: Timestamp { rows.latest.value.board.exchangeTime(at: now()) }

    /// Whether the user has a rule.
    ///
    /// The store is asked before the answer is no.
    func hasAlert(_ number: Int64, _ user: UserID) async throws(StoreFailure) -> Bool {
        func isThere(_ state: UserStatePublisher) -> Bool {
            state.value.record.alerts.value[number] != nil
        }
        if let state = users.current(user), isThere(state) { return true }
        users.invalidate(user)
        return isThere(try await users.state(of: user))
    }

    /// Reads a rule that data of the service's feed can fire.
    private func rule(_ text: String, at now: Timestamp) throws(AlertRuleError) -> AlertRule {
        let board = rows.latest.value.board
        let rule = try AlertRule.parse(text, feed: board.feed.kind)
        if case .market(let market) = rule.scope, !rows.knows(market) {
            // Parsed again for the place of the market and similar names.
            _ = try AlertRule.parse(
                text,
                feed: board.feed.kind,
                markets: Set(board.markets.map(\.id))
            )
        }
        try rule.validate(at: now)
        return rule
    }

    /// The document of a rule; its tag is that of the user's alerts.
    private func alert(
        _ rule: UserAlertRule,
        _ state: UserState,
        at now: Timestamp,
        _ language: Language
    ) -> RouteResponse {
        .document(
            UserDocuments.encoded(
                state.user,
                state.record.alerts.revision,
                AlertRuleViewState(rule, at: now, language)
            )
        )
    }

    /// A page of the log: from memory, or from the store where memory does not have all of it.
    private func log(
        _ page: AlertRequest.LogPage,
        of user: UserID
    ) async throws(StoreFailure) -> RouteResponse {
        let alerts = try await users.state(of: user).value.record.alerts.value
        var age = users.age(of: user)
        var rows = alerts.log(before: page.before, count: page.limit)
        // The numbers of a log begin with 1.
        let oldest = rows.last?.number ?? page.before ?? 1
        if rows.count < page.limit, oldest > 1 {
            rows = try await records.alertLog(of: user, before: page.before, count: page.limit)
            age = nil
        }
        var document = UserDocuments.digested(
            AlertLogViewState(rows, of: alerts, page.language),
            of: user,
            scope: .stored
        )
        document.age = age
        return .document(document)
    }
}

extension Problem {
    /// A rule that cannot be read or kept; names the word at fault and its column.
    fileprivate static func invalidRule(_ error: AlertRuleError) -> Problem {
        .invalidParameter(
            "rule",
            AccessToken.masked(error.detail),
            allowed: error.choices.isEmpty ? ["a rule, e.g. BTC > 150000000"] : error.choices
        )
    }

    /// Another request removed the rule at the same time.
    fileprivate static let removedAlert = Problem(
        code: .notFound,
        detail: "the alert was removed meanwhile; GET /v1/me/alerts lists your alerts"
    )
}
