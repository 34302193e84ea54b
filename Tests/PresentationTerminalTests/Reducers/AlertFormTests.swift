import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("A form reads the text of a rule, and names the word that is at fault")
struct AlertFormTests {
    private static let context = AlertRuleContext(
        feed: .replay,
        markets: ["BTC_KRW", "ETH_KRW", "ETH_BTC"],
        now: .noon()
    )

    /// The page of alerts with an open form.
    private func form(_ text: String) -> ScreenState {
        var state = PageSamples.screen(.alerts, .newAlert)
        state.fill(.type(text))
        return state
    }

    private func submit(_ state: inout ScreenState) -> [ScreenEffect] {
        state.fill(.knowRules(Self.context), .submit)
    }

    private func rule(_ text: String) throws -> AlertRule {
        try AlertRule.parse(text, feed: .replay)
    }

    @Test("a rule is added for the feed and at the time of the form, and stays until it is stored")
    func adding() throws {
        var state = form("btc > 150,000,000 again 10m")
        let rule = try rule("BTC > 150000000 again 10m")
        #expect(submit(&state) == [.perform(.addAlert(rule, at: .noon()))])
        #expect(state.form?.isSaving == true)
        var alerts = AlertSamples.alerts
        alerts.rules.append(UserAlertRule(number: 9, rule: rule, createdAt: .noon(1)))
        let user = PageSamples.personal { $0.alerts = Revised(alerts, revision: 6) }
        _ = ScreenReducer.reduce(&state, .personal(UserStateUpdate(user)))
        #expect(state.form == nil)
        PageSamples.show(&state, TerminalSize(columns: 80, rows: 24))
        #expect(state.alerts.section == .rules && state.alerts.rules.selected == 9)
    }

    @Test(
        "a rule that is refused stays, with the word and the remedy in both languages",
        arguments: [
            ("", "다음 중 하나를 입력하세요", "missing"),
            ("BTX > 1", "없는 마켓입니다 – BTC?", "'BTX' at column 1: unknown market"),
            ("BTC > 1x", "가격에는 단위가 없습니다", "'1x' at column 7: a price has no unit"),
            ("BTC ~ 1", "'~' (5번째 글자): ", "'~' at column 5: expected"),
            ("BTC > 0", "0보다 커야 합니다", "must be"),
            ("favorites > 5", "가격은 마켓 하나에 설정합니다", "a price is that of one market"),
            ("BTC > 5 until 2020-01-01", "이미 지난 시각입니다", "has already ended"),
            ("BTC 5..4", "작은 값을 먼저 입력하세요", "the lower limit comes first"),
        ]
    )
    func refusals(text: String, korean: String, english: String) throws {
        var state = form(text)
        #expect(submit(&state).isEmpty)
        let error = try #require(state.form?.ruleError)
        let refusal = AlertRuleErrorStrings.text(of: error)
        let texts = [refusal.ko, refusal.en]
        #expect(texts[0].contains(korean), "\(texts[0])")
        #expect(texts[1].contains(english), "\(texts[1])")
        #expect(state.form?.fields.map(\.text) == [text])
        let frame = PageSamples.frame(state)
        let short = AlertRuleErrorStrings.shortText(of: error).ko
        #expect(frame.lines.contains { $0.contains(korean) || $0.contains(short) })
        state.fill(.type("1"))
        #expect(state.form?.ruleError == nil)
    }

    @Test("a changed rule keeps its number")
    func editing() throws {
        var state = PageSamples.screen(.alerts, .alerts(.otherSection), .alerts(.open))
        #expect(state.form?.purpose == .editAlert(1))
        state.fill(.delete(.word), .type("160000000"))
        let change = UserChange.replaceAlert(
            1,
            by: try rule("BTC > 160000000"),
            at: .noon(),
            expecting: nil
        )
        #expect(submit(&state) == [.perform(change)])
    }

    @Test("a rule of maximum length fits the field")
    func length() {
        let note = String(repeating: "가", count: 100)
        let text =
            "ETH_BTC 12345678.12345678..123456789.12345678 again 24h ticks 1000"
            + " until 2026-12-31T23:59:59.999999 note " + note
        var state = form(text)
        #expect(state.form?.fields.first?.text == text)
        #expect(submit(&state).count == 1)
        state = form(String(repeating: "x", count: 257))
        #expect(state.form?.refusal?.refusal == InputError(.tooLong(256)))
    }

    @Test("on another screen a notice says what was added")
    func elsewhere() throws {
        var state = PageSamples.screen(.market)
        _ = ScreenReducer.reduce(&state, .alertSuggested("BTC_KRW > 1"))
        _ = submit(&state)
        let rule = try rule("BTC > 1")
        let user = PageSamples.personal {
            $0.alerts.value.rules = [UserAlertRule(number: 1, rule: rule, createdAt: .noon())]
        }
        _ = ScreenReducer.reduce(&state, .personal(UserStateUpdate(user)))
        #expect(state.form == nil && state.notice == .alertKey(.added(rule)))
    }

    @Test(
        "the key of a market begins a rule about the cross-hair's price, else the last one",
        arguments: [
            (nil, "150", "BTC_KRW > 150"), ("160", "150", "BTC_KRW > 160"),
            ("140.5", "150", "BTC_KRW < 140.5"), ("150", "150", "BTC_KRW > 150"),
            (nil, nil, "BTC_KRW > "), ("140", nil, "BTC_KRW > 140"),
        ] as [(FixedDecimal?, FixedDecimal?, String)]
    )
    func suggestion(level: FixedDecimal?, last: FixedDecimal?, text: String) {
        #expect(AlertSuggestion.text(of: "BTC_KRW", level: level, last: last) == text)
    }

    @Test("A in list, order book, chart and trades asks about the selected or open market")
    func market() {
        var state = PageSamples.screen(.market)
        let selected = state.list.selected
        #expect(selected != nil)
        let effects = ScreenReducer.reduce(&state, .newAlert)
        #expect(effects == selected.map { [.suggestAlert($0)] })
        _ = ScreenReducer.reduce(&state, .open("ETH_KRW"))
        #expect(ScreenReducer.reduce(&state, .newAlert) == [.suggestAlert("ETH_KRW")])
    }
}

@Suite("The loop gives the alert form its price and its markets")
struct AlertLoopTests {
    private func run(
        _ steps: [ScriptedScreen.Step],
        _ prepare: (ScriptedModel) -> Void = { _ in }
    ) -> (model: ScriptedModel, state: ScreenState, frame: Frame?) {
        let clock = ScriptedClock()
        let model = ScriptedModel(clock: clock, count: 5)
        prepare(model)
        let screen = ScriptedScreen(columns: 100, rows: 40, clock: clock, steps)
        var loop = TerminalLoop(model: model, screen: screen, state: ScreenState())
        _ = loop.run()
        return (model, loop.state, screen.drawings.last?.frame)
    }

    private func keys(_ text: String) -> [ScriptedScreen.Step] {
        text.unicodeScalars.map { .keys([$0 == "\n" ? .enter : .character($0)]) }
    }

    @Test("A on a row begins with its last price, and Enter stores the rule")
    func list() throws {
        let result = run(keys("jA\n"))
        let change = try #require(result.model.performed.last)
        guard case .addAlert(let rule, let at) = change else {
            Issue.record("\(change)")
            return
        }
        #expect(rule.text == "C1_KRW > 1000" && at == result.model.now)
        #expect(result.state.form == nil)
        #expect(result.state.notice == .alertKey(.added(rule)))
        #expect(result.model.personal.record.alerts.value.rules.map(\.rule) == [rule])
    }

    @Test("A in the chart takes the price under the cross-hair and its side of the last price")
    func crosshair() throws {
        let opening: [ScriptedScreen.Step] = keys("\n") + [.keys([.tab])]
        let without = run(opening + keys("A"))
        let last = try #require(DetailSamples.document().state.header.price)
        let market = try #require(without.state.detail?.market.name)
        #expect(without.state.form?.fields.first?.text == "\(market) > \(last.canonicalText)")
        let crossed = run(opening + keys("x") + [.keys([.left]), .keys([.left])] + keys("A"))
        let time = try #require(crossed.state.detail?.chart.crosshair)
        let candles = DetailSamples.document().state.chart.candles
        let close = try #require(candles.first { $0.openTime == time }?.close)
        let side = close < last ? "<" : ">"
        #expect(
            crossed.state.form?.fields.first?.text == "\(market) \(side) \(close.canonicalText)"
        )
    }

    @Test("a market that the exchange does not list is refused with similar ones")
    func unlisted() {
        let result = run(keys("5a") + [.paste("C9 > 1")] + keys("\n"))
        #expect(result.model.performed.isEmpty)
        let line = result.frame?.lines.first { $0.contains("없는 마켓입니다") }
        #expect(line?.contains("C1") == true, "\(line ?? "")")
    }

    @Test("a source without alerts says so on the page and to the key")
    func without() {
        let page = run(keys("5")) { $0.withholdAlerts() }
        #expect(page.frame?.lines.contains { $0.contains("이 서버는 알림을 지원하지 않습니다") } == true)
        let key = run(keys("jA")) { $0.withholdAlerts() }
        #expect(key.state.form == nil && key.state.notice == .alertKey(.withoutAlerts))
        #expect(page.model.performed.isEmpty && key.model.performed.isEmpty)
    }
}
