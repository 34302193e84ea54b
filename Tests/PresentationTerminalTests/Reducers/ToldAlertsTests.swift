import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Each screen tells a new alert once")
struct ToldAlertsTests {
    private var state = ScreenState()

    private func update(
        _ alerts: UserAlerts,
        revision: Int64 = 1,
        status: StoreStatus = .ready
    ) -> ScreenAction {
        var record = UserRecord(name: "kim")
        record.alerts = Revised(alerts, revision: revision)
        let user = UserState(user: .local, record: record, status: status, sequence: 1)
        return .personal(UserStateUpdate(user))
    }

    private func notices(_ effects: [ScreenEffect]) -> [AlertNotice] {
        effects.compactMap { if case .notify(let notice) = $0 { notice } else { nil } }
    }

    private mutating func reduce(_ action: ScreenAction) -> [AlertNotice] {
        notices(ScreenReducer.reduce(&state, action))
    }

    private var shown: AlertNotice? {
        if case .alerts(let notice) = state.notice { notice } else { nil }
    }

    @Test("alerts of the first record are not told, also after an unread one")
    mutating func first() {
        #expect(reduce(update(UserAlerts(), status: .opening)).isEmpty)
        #expect(reduce(update(.logged(1...4))).isEmpty && shown == nil)
    }

    @Test("a newer alert is notified and shown once")
    mutating func once() {
        _ = reduce(update(.logged(1...4)))
        let notice = AlertNotice(alert: .sample(5), count: 1)
        #expect(reduce(update(.logged(1...5), revision: 2)) == [notice])
        #expect(shown == notice)
        #expect(reduce(update(.logged(1...5), revision: 2)).isEmpty && shown == notice)
        // A key clears the line, and the same record does not bring it back.
        _ = reduce(.list(.move(1)))
        #expect(shown == nil)
        #expect(reduce(update(.logged(1...5), revision: 3)).isEmpty && shown == nil)
    }

    @Test("until a key the line counts all, a notification only its own")
    mutating func several() {
        _ = reduce(update(UserAlerts()))
        #expect(reduce(update(.logged(1...3))) == [AlertNotice(alert: .sample(3), count: 3)])
        #expect(reduce(update(.logged(1...4))) == [AlertNotice(alert: .sample(4), count: 1)])
        #expect(shown == AlertNotice(alert: .sample(4), count: 4))
    }

    @Test("an older record read again tells nothing, and nothing twice")
    mutating func older() {
        _ = reduce(update(.logged(1...5), revision: 5))
        #expect(reduce(update(.logged(1...3), revision: 3)).isEmpty)
        #expect(reduce(update(UserAlerts(), revision: 0)).isEmpty)
        #expect(reduce(update(.logged(1...5), revision: 5)).isEmpty && shown == nil)
        #expect(reduce(update(.logged(1...6), revision: 6)).map(\.count) == [1])
    }

    @Test("a jump beyond the log counts the alerts that the record no longer holds")
    mutating func jump() {
        _ = reduce(update(.logged(1...5)))
        let notice = AlertNotice(alert: .sample(305), count: 300)
        #expect(reduce(update(.logged(1...305))) == [notice] && shown == notice)
    }

    @Test("the line has time, sentence and the number of others, and says that it is late")
    func texts() {
        let one = AlertNotice(alert: .sample(5), count: 1)
        let sentence = AlertTextPresenter.sentence(.sample(5), .korean)
        #expect(
            one.texts.map(\.ko) == ["알림 12:00:05 \(sentence)", "12:00:05 \(sentence)", sentence]
        )
        let late = AlertNotice(alert: .sample(5, lateness: .away), count: 3)
        #expect(late.text(.korean) == "알림 12:00:05 (지연) \(sentence) 외 2건")
        let english = AlertTextPresenter.sentence(.sample(5), .english)
        #expect(late.text(.english) == "alert 12:00:05 (late) \(english) and 2 more")
    }

    @Test("the loop notifies in the screen's language, and shows the line")
    func loop() throws {
        let clock = ScriptedClock()
        let model = ScriptedModel(clock: clock, count: 3)
        var record = model.personal.record
        record.alerts = Revised(.logged(1...2), revision: 9)
        let user = UserState(user: .local, record: record, status: .ready, sequence: 99)
        let screen = ScriptedScreen(
            columns: 80,
            rows: 12,
            clock: clock,
            [
                .wake(after: .seconds(1)) { model.keep(user) }, .pass(.seconds(1)),
                .pass(.seconds(1)),
            ]
        )
        var loop = TerminalLoop(model: model, screen: screen, state: ScreenState())
        _ = loop.run()
        let text = AlertNotice(alert: .sample(2), count: 2).text(.korean)
        #expect(screen.notified == [text])
        #expect(screen.drawings.last?.frame.lines.last?.hasPrefix(text) == true)
    }
}
