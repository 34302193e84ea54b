import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("A coin in a form is checked against the known coins")
struct UnknownCoinTests {
    private func loop(_ typed: String) -> (screen: ScriptedScreen, model: ScriptedModel) {
        let clock = ScriptedClock()
        let model = ScriptedModel(clock: clock, count: 3)
        let keys = Array("3a" + typed + "\n").compactMap(\.unicodeScalars.first)
            .map { $0 == "\n" ? Key.enter : Key.character($0) }
        let screen = ScriptedScreen(
            columns: 80,
            rows: 24,
            clock: clock,
            keys.map { .keys([$0], after: .milliseconds(120)) }
        )
        var loop = TerminalLoop(model: model, screen: screen, state: ScreenState())
        _ = loop.run()
        return (screen, model)
    }

    @Test("An unknown coin is refused with suggestions while typing", arguments: ["비트", "BTD"])
    func refused(typed: String) throws {
        let frame = try #require(loop(typed).screen.drawings.last?.frame)
        #expect(frame.row(of: "자산: 없는 심볼입니다 – BTC") != nil, "\(frame.lines)")
    }

    @Test(
        "A listed, named or held coin is accepted",
        arguments: ["c2", "eth", "xrp"]
    )
    func taken(typed: String) throws {
        let frame = try #require(loop(typed).screen.drawings.last?.frame)
        #expect(frame.row(of: "자산: ") == nil)
        #expect(frame.row(of: "›  수량") != nil || frame.row(of: "› 수량") != nil, "\(frame.lines)")
    }

    @Test("The message fits the narrowest screen with as many suggestions as fit")
    func fitting() throws {
        var state = PageSamples.screen(.portfolio)
        let coins = KnownCoins(symbols: ["BTCAAA", "BTCAAB", "BTCAAC"], names: CoinNames([:]))
        let actions: [ScreenAction] = [
            .portfolio(.add), .form(.know(coins)), .form(.type("BTCAAX")), .form(.submit),
        ]
        for action in actions { _ = ScreenReducer.reduce(&state, action) }
        let refusal = try #require(state.form?.refusal)
        for language in Language.allCases {
            let texts = FormStrings.refusals(refusal, language)
            #expect(texts.count == 4 && texts[0].contains("BTCAAC"))
            let fitting = StoreStrings.fitting(texts, 38)
            #expect(TextWidth.columns(fitting) <= 38 && fitting.contains("BTCAAA"))
        }
    }
}
