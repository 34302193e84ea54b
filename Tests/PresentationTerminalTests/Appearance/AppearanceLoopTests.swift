import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Theme, colors and language follow keys, stored settings and the terminal")
struct AppearanceLoopTests {
    private let clock = ScriptedClock()
    private let model: ScriptedModel

    init() { model = ScriptedModel(clock: clock) }

    private func keys(_ text: String) -> ScriptedScreen.Step {
        .keys(text.unicodeScalars.map { .character($0) })
    }

    private func run(
        _ state: ScreenState,
        _ steps: [ScriptedScreen.Step],
        background: TerminalBackground? = nil,
        characters: TerminalCharacters = .unicode
    ) throws -> (screen: ScriptedScreen, state: ScreenState, last: Frame) {
        let screen = ScriptedScreen(characters: characters, clock: clock, steps)
        screen.background = background
        var loop = TerminalLoop(model: model, screen: screen, state: state)
        _ = loop.run()
        return (screen, loop.state, try #require(screen.drawings.last?.frame))
    }

    private func started(_ given: SettingsPatch = SettingsPatch()) -> ScreenState {
        ScreenState(given: given)
    }

    @Test("Keys on 더보기 cycle theme, colors and language, and save each change")
    func keysChange() throws {
        let result = try run(started(), [keys("4ttcl")])
        #expect(result.screen.theme.shades == .dark)
        #expect(result.state.look.theme == .dark)
        #expect(result.screen.theme.directions == .western)
        #expect(result.last.lines[0].hasPrefix("hoga more"))
        #expect(result.last.lines.contains { $0.contains(" auto  light [dark] high contrast ") })
        var last = UserSettings()
        for case .changeSettings(let patch, _) in model.performed { last = last.patched(by: patch) }
        #expect(last.theme == .dark && last.colors == .western && last.language == .english)
    }

    @Test("A setting saved in another session applies immediately")
    func elsewhere() throws {
        let change = ScriptedScreen.Step.wake(after: .milliseconds(200)) { [model] in
            model.keep(
                PageSamples.personal(sequence: 2) {
                    $0.settings.value.theme = .highContrast
                    $0.settings.value.colors = .western
                    $0.settings.value.language = .english
                    $0.settings.revision = 7
                }
            )
        }
        let result = try run(started(), [change, .pass(.milliseconds(200))])
        #expect(result.screen.theme.shades == .highContrast)
        #expect(result.screen.theme.directions == .western)
        #expect(result.last.lines[0].hasPrefix("hoga market  Bithumb"))
        #expect(!model.performed.contains { if case .changeSettings = $0 { true } else { false } })
    }

    @Test("A setting given for the session stays until a key changes it")
    func given() throws {
        var given = SettingsPatch()
        given.theme = .light
        given.language = .english
        let change = ScriptedScreen.Step.wake(after: .milliseconds(200)) { [model] in
            model.keep(
                PageSamples.personal(sequence: 2) {
                    $0.settings.value.theme = .highContrast
                    $0.settings.revision = 7
                }
            )
        }
        let result = try run(started(given), [change, .pass(.milliseconds(200))])
        #expect(result.screen.theme.shades == .light)
        #expect(result.last.lines[0].hasPrefix("hoga market  Bithumb"))
        #expect(try run(started(given), [keys("4t")]).screen.theme.shades == .dark)
    }

    @Test("A late background reply applies while the theme is auto")
    func late() throws {
        func shades(_ theme: UserSettings.Theme) throws -> Theme.Shades {
            let screen = ScriptedScreen(clock: clock, [])
            screen.background = nil
            var loop = TerminalLoop(
                model: model,
                screen: screen,
                state: ScreenState(look: ScreenAppearance(theme: theme))
            )
            _ = loop.run()
            #expect(screen.theme.shades == (theme == .light ? .light : .dark))
            let answering = ScriptedScreen(
                clock: clock,
                [.pass(.milliseconds(300)), .pass(.milliseconds(300))]
            )
            answering.onWait = { if $0 == 2 { answering.background = .light } }
            var second = TerminalLoop(
                model: model,
                screen: answering,
                state: ScreenState(look: ScreenAppearance(theme: theme))
            )
            _ = second.run()
            return answering.theme.shades
        }
        #expect(try shades(.auto) == .light)
        #expect(try shades(.dark) == .dark)
        #expect(try run(ScreenState(), [], background: .light).screen.theme.shades == .light)
    }

    @Test("An ASCII terminal shows English and omits Korean names")
    func ascii() throws {
        let result = try run(ScreenState(), [], characters: .ascii)
        #expect(result.last.lines[0].hasPrefix("hoga market  Bithumb live  change 24h"))
        #expect(result.last.lines[3].hasPrefix("> C0/KRW"))
        #expect(result.state.look.language == .korean)
    }

    @Test("An ASCII terminal offers no language choice on 더보기")
    func asciiLanguage() throws {
        let result = try run(ScreenState(), [keys("4l")], characters: .ascii)
        #expect(result.state.look.language == .korean)
        let line = try #require(result.last.lines.first { $0.contains(" language ") })
        #expect(line.contains("[English]") && line.contains("ASCII has no other"), "\(line)")
        let hints = try #require(result.last.lines.last)
        #expect(hints.contains("t theme") && !hints.contains("l lang"), "\(hints)")
        #expect(!line.contains("Korean") && !line.contains("l  language"), "\(line)")
    }

    @Test("ASCII key labels name arrows by words, and headings contain no key")
    func asciiArrows() throws {
        let help = try run(ScreenState(), [keys("?")], characters: .ascii).screen.drawings
        let lines = help.flatMap(\.frame.lines)
        #expect(lines.contains { $0.contains("Up k") || $0.contains("k Up") }, "\(lines)")
        #expect(!lines.contains { $0.contains("^ ") || $0.contains(" v ") }, "\(lines)")
        #expect(Key.up.label == "↑" && Key.controlDown.label == "^↓")
    }
}
