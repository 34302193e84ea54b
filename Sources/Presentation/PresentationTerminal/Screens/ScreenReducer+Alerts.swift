import Domain

extension ScreenReducer {
    // MARK: Telling

    /// Tells the alerts that a record has and those before it had not, each once.
    ///
    /// Alerts that were there when the record was first read are not told. Until the next key the
    /// notice counts what came before it too.
    static func tellAlerts(_ facts: UserStateUpdate, _ state: inout ScreenState) -> [ScreenEffect] {
        guard !facts.status.isUnread,
            let news = state.toldAlerts.advance(to: facts.record.alerts.value),
            let newest = news.alerts.first
        else { return [] }
        var shown = AlertNotice(alert: newest, count: news.count)
        let effect = ScreenEffect.notify(shown)
        if case .alerts(let earlier) = state.notice { shown.count += earlier.count }
        state.notice = .alerts(shown)
        return [effect]
    }

    /// Marks all alerts as seen: the page was opened, or a key was pressed on it.
    static func markAlertsSeen(_ state: inout ScreenState) -> [ScreenEffect] {
        guard state.isAlertsVisible, state.hasAlerts, state.changeRestriction == nil,
            let alerts = state.personal?.record.alerts.value, let newest = alerts.log.first?.number,
            newest > max(alerts.seenThrough, state.alerts.markedThrough)
        else { return [] }
        state.alerts.markedThrough = newest
        return [.perform(.markAlertsSeen(through: newest))]
    }

    /// Prepares the page that is being opened.
    static func openAlerts(_ state: inout ScreenState) {
        // A mark that the store refused is made again.
        state.alerts.markedThrough = 0
        state.alerts.newAfter =
            state.visibility == .shown ? state.personal?.record.alerts.value.seenThrough : nil
    }

    // MARK: The page

    static func reduce(
        _ state: inout ScreenState,
        alerts action: AlertsAction
    ) -> [ScreenEffect] {
        switch action {
        case .otherSection: state.alerts.section = state.alerts.section == .log ? .rules : .log
        case .choose(let section): state.alerts.section = section
        case .select(let number): state.alerts.rows.select(number)
        case .open: openSelectedAlert(&state)
        case .remove:
            guard state.alerts.section == .rules else {
                state.notice = .alertKey(.logIsKept)
                return []
            }
            guard mayChangeAlerts(&state), let rule = state.selectedRule else { return [] }
            state.form = .removingAlert(rule)
        case .dismiss: return show(.market, &state)
        case .shown(let visibleRows, let isRead, let now):
            let alerts = state.personal?.record.alerts.value ?? UserAlerts()
            if isRead, state.alerts.newAfter == nil { state.alerts.newAfter = alerts.seenThrough }
            state.alerts.log.show(
                alerts.log.map(\.number),
                visibleRows: visibleRows,
                isRead: isRead,
                now: now
            )
            state.alerts.rules.show(
                alerts.rules.map(\.number),
                visibleRows: visibleRows,
                isRead: isRead,
                now: now
            )
        }
        return []
    }

    private static func openSelectedAlert(_ state: inout ScreenState) {
        switch state.alerts.section {
        case .log:
            let alerts = state.personal?.record.alerts.value.log ?? []
            guard let alert = alerts.first(where: { $0.number == state.alerts.log.selected }) else {
                return
            }
            guard let market = alert.alert.subject.market else {
                state.notice = .alertKey(.noMarketOfPortfolio)
                return
            }
            open(market, &state)
        case .rules:
            guard mayChangeAlerts(&state), let rule = state.selectedRule else { return }
            state.form = .editingAlert(rule)
        }
    }

    // MARK: New rules

    /// Opens the form for a rule: on the page of alerts empty, else about the open or selected
    /// market, whose price the caller knows.
    static func newAlert(_ state: inout ScreenState) -> [ScreenEffect] {
        guard mayChangeAlerts(&state) else { return [] }
        if state.isAlertsVisible {
            state.form = .addingAlert("")
            return []
        }
        guard let market = state.favoriteTarget else {
            notifyListUnloaded(&state)
            return []
        }
        return [.suggestAlert(market)]
    }

    /// Whether rules can be changed; sets a notice if not.
    private static func mayChangeAlerts(_ state: inout ScreenState) -> Bool {
        state.notice = state.hasAlerts ? state.changeRestriction : .alertKey(.withoutAlerts)
        return state.notice == nil
    }

    /// Shows a rule that was added: its row, or a notice on another screen.
    static func showAdded(_ rule: AlertRule, _ record: UserRecord, _ state: inout ScreenState) {
        guard state.isAlertsVisible else {
            state.notice = .alertKey(.added(rule))
            return
        }
        state.alerts.section = .rules
        state.alerts.rules.awaited = record.alerts.value.rules.last { $0.rule == rule }?.number
    }
}

extension ScreenState {
    /// Whether the page of alerts is visible and receives keys.
    var isAlertsVisible: Bool { page == .alerts && focusedDetail == nil }

    fileprivate var selectedRule: UserAlertRule? {
        alerts.rules.selected.flatMap { personal?.record.alerts.value[$0] }
    }
}
