import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("The page of alerts shows log and rules, and marks alerts as seen")
struct AlertsScreenTests {
    private func page(
        _ section: AlertsScreenState.Section = .log,
        _ change: (inout UserAlerts) -> Void = { _ in }
    ) -> ScreenState {
        var alerts = AlertSamples.alerts
        change(&alerts)
        let state = PageSamples.screen(
            .alerts,
            record: { $0.alerts = Revised(alerts, revision: 5) },
            .alerts(.choose(section))
        )
        return state
    }

    private func update(_ alerts: UserAlerts, allowsChanges: Bool = true) -> ScreenAction {
        var record = UserRecord(name: "kim")
        record.alerts = Revised(alerts, revision: 9)
        let user = UserState(
            user: .local,
            record: record,
            status: .ready,
            allowsChanges: allowsChanges,
            sequence: 2
        )
        return .personal(UserStateUpdate(user))
    }

    private func shown(_ state: inout ScreenState) {
        PageSamples.show(&state, TerminalSize(columns: 80, rows: 24))
    }

    @Test("opening the page marks all alerts as seen, once, and they stay marked as new meanwhile")
    func opening() {
        var state = ScreenState()
        _ = ScreenReducer.reduce(&state, update(AlertSamples.alerts))
        let effects = ScreenReducer.reduce(&state, .show(.alerts))
        #expect(effects == [.perform(.markAlertsSeen(through: 7))])
        var seen = AlertSamples.alerts
        seen.seenThrough = 7
        #expect(ScreenReducer.reduce(&state, update(seen)).isEmpty)
        shown(&state)
        #expect(state.alerts.newAfter == 5)
        #expect(ScreenReducer.reduce(&state, .rows(.move(1))).isEmpty)
        // Opened again, nothing is new.
        _ = ScreenReducer.reduce(&state, .show(.market))
        #expect(ScreenReducer.reduce(&state, .show(.alerts)).isEmpty)
        #expect(state.alerts.newAfter == 7)
    }

    @Test("an alert that fires on the open page is seen with the next key, not before")
    func arriving() {
        var state = page()
        var alerts = AlertSamples.alerts
        alerts.seenThrough = 7
        alerts.log.insert(.sample(8), at: 0)
        let arrival = ScreenReducer.reduce(&state, update(alerts))
        #expect(!arrival.contains(.perform(.markAlertsSeen(through: 8))))
        shown(&state)
        let marking = ScreenReducer.reduce(&state, .rows(.move(1)))
        #expect(marking == [.perform(.markAlertsSeen(through: 8))])
    }

    @Test("nothing is marked on another page, with a read-only token or without alerts")
    func notMarking() {
        var other = ScreenState()
        _ = ScreenReducer.reduce(&other, update(AlertSamples.alerts))
        #expect(ScreenReducer.reduce(&other, .show(.more)).isEmpty)
        var reader = ScreenState()
        _ = ScreenReducer.reduce(&reader, update(AlertSamples.alerts, allowsChanges: false))
        #expect(ScreenReducer.reduce(&reader, .show(.alerts)).isEmpty)
        var without = ScreenState()
        without.hasAlerts = false
        _ = ScreenReducer.reduce(&without, update(AlertSamples.alerts))
        #expect(ScreenReducer.reduce(&without, .show(.alerts)).isEmpty)
    }

    @Test("Enter opens the market of an alert; the portfolio has none")
    func opensMarket() {
        var state = page()
        _ = ScreenReducer.reduce(&state, .alerts(.select(5)))
        _ = ScreenReducer.reduce(&state, .alerts(.open))
        #expect(state.focusedDetail?.market == "ETH_KRW")
        var portfolio = page()
        _ = ScreenReducer.reduce(&portfolio, .alerts(.select(4)))
        _ = ScreenReducer.reduce(&portfolio, .alerts(.open))
        #expect(portfolio.detail == nil && portfolio.notice == .alertKey(.noMarketOfPortfolio))
    }

    @Test("Enter edits the selected rule, and x removes it after a question")
    func rules() {
        var state = page(.rules)
        _ = ScreenReducer.reduce(&state, .rows(.move(1)))
        _ = ScreenReducer.reduce(&state, .alerts(.open))
        #expect(state.form?.purpose == .editAlert(2))
        #expect(state.form?.fields.map(\.text) == ["ETH_KRW < 4500000 again 10m ticks 2"])
        _ = ScreenReducer.reduce(&state, .form(.cancel))
        _ = ScreenReducer.reduce(&state, .alerts(.remove))
        #expect(state.form?.isQuestion == true)
        let change = UserChange.removeAlert(2, expecting: nil)
        #expect(ScreenReducer.reduce(&state, .form(.submit)) == [.perform(change)])
        #expect(state.form?.isSaving == true)
        var alerts = AlertSamples.alerts
        alerts.rules.remove(at: 1)
        _ = ScreenReducer.reduce(&state, update(alerts))
        #expect(state.form == nil)
        shown(&state)
        #expect(state.alerts.rules.selected == 3)
    }

    @Test("the log is kept, and says so")
    func logIsKept() {
        var state = page()
        _ = ScreenReducer.reduce(&state, .alerts(.remove))
        #expect(state.form == nil && state.notice == .alertKey(.logIsKept))
    }

    @Test("rules cannot be changed with a read-only token or without alerts")
    func restrictions() {
        for action in [ScreenAction.newAlert, .alerts(.open), .alerts(.remove)] {
            var reader = page(.rules)
            _ = ScreenReducer.reduce(&reader, update(AlertSamples.alerts, allowsChanges: false))
            _ = ScreenReducer.reduce(&reader, action)
            #expect(reader.form == nil && reader.notice == .readingOnly)
            var without = page(.rules)
            without.hasAlerts = false
            _ = ScreenReducer.reduce(&without, action)
            #expect(without.form == nil && without.notice == .alertKey(.withoutAlerts))
        }
    }

    @Test("Tab, rows and Esc: each part keeps its selection")
    func moving() {
        var state = page()
        _ = ScreenReducer.reduce(&state, .rows(.moveToLast))
        _ = ScreenReducer.reduce(&state, .alerts(.otherSection))
        _ = ScreenReducer.reduce(&state, .rows(.move(2)))
        #expect(state.alerts.rules.selected == 3 && state.alerts.log.selected == 1)
        _ = ScreenReducer.reduce(&state, .alerts(.otherSection))
        #expect(state.alerts.section == .log && state.alerts.log.selected == 1)
        _ = ScreenReducer.reduce(&state, .alerts(.dismiss))
        #expect(state.page == .market)
    }

    @Test("keys before the record is read wait for it, but not those that change something unseen")
    func unread() {
        var state = ScreenState()
        _ = ScreenReducer.reduce(&state, .show(.alerts))
        _ = ScreenReducer.reduce(&state, .rows(.move(2)))
        _ = ScreenReducer.reduce(&state, .alerts(.open))
        #expect(state.hasDeferredActions && state.detail == nil)
        _ = ScreenReducer.reduce(&state, update(AlertSamples.alerts))
        shown(&state)
        #expect(state.detail?.market == "ETH_KRW")
        #expect(state.alerts.log.selected == 5)
    }
}
