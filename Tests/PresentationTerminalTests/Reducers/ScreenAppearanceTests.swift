import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Appearance follows given settings, stored ones, keys, or the locale")
struct ScreenAppearanceTests {
    private typealias Samples = UserScreenSamples

    private func stored(
        _ revision: Int64,
        allowsChanges: Bool = true,
        status: StoreStatus = .ready,
        _ change: (inout UserSettings) -> Void = { _ in }
    ) -> UserStateUpdate {
        var facts = Samples.facts(
            Samples.record {
                change(&$0.settings.value)
                $0.settings.revision = revision
            },
            status: status
        )
        facts.allowsChanges = allowsChanges
        return facts
    }

    private func patches(_ effects: [ScreenEffect]) -> [SettingsPatch] {
        effects.compactMap {
            if case .perform(.changeSettings(let patch, _)) = $0 { patch } else { nil }
        }
    }

    @Test(
        "A key cycles all values and saves each",
        arguments: AppearanceSetting.allCases
    )
    func around(choice: AppearanceSetting) {
        var state = ScreenState(given: SettingsPatch())
        _ = ScreenReducer.reduce(&state, .personal(stored(1)))
        let first = state.look
        var looks: [ScreenAppearance] = []
        repeat {
            let effects = ScreenReducer.reduce(&state, .more(.change(choice)))
            #expect(patches(effects).count == 1)
            #expect(effects.contains(.reorder) == (choice == .language))
            looks.append(state.look)
        } while state.look != first && looks.count < 9
        #expect(looks.count == (choice == .theme ? 4 : 2))
        #expect(Set(looks).count == looks.count)
    }

    @Test("A language change in another session re-sorts names")
    func reorder() {
        var state = ScreenState(given: SettingsPatch())
        _ = ScreenReducer.reduce(&state, .personal(stored(1)))
        #expect(
            ScreenReducer.reduce(&state, .personal(stored(2) { $0.language = .english }))
                == [.reorder]
        )
        #expect(state.look.language == .english)
        #expect(
            ScreenReducer.reduce(
                &state,
                .personal(
                    stored(3) {
                        $0.language = .english
                        $0.theme = .light
                    }
                )
            ).isEmpty
        )
        #expect(state.look.theme == .light)
    }

    @Test("A user without settings gets the locale's language, saved once")
    func locale() {
        var state = ScreenState(given: SettingsPatch(), language: .english)
        #expect(state.look.language == .english)
        let effects = ScreenReducer.reduce(&state, .personal(stored(0)))
        #expect(patches(effects).map(\.language) == [.english])
        #expect(patches(effects).first?.theme == nil)
        #expect(state.look.language == .english)
        let answer = stored(1) { $0.language = .english }
        #expect(patches(ScreenReducer.reduce(&state, .personal(answer))).isEmpty)
    }

    @Test("Stored or given settings override the locale, and a reader saves nothing")
    func kept() {
        var state = ScreenState(given: SettingsPatch(), language: .english)
        #expect(patches(ScreenReducer.reduce(&state, .personal(stored(1)))).isEmpty)
        #expect(state.look.language == .korean)

        var given = SettingsPatch()
        given.language = .korean
        state = ScreenState(given: given, language: .english)
        #expect(state.look.language == .korean)
        #expect(patches(ScreenReducer.reduce(&state, .personal(stored(0)))).isEmpty)

        state = ScreenState(given: SettingsPatch(), language: .english)
        let reading = stored(0, allowsChanges: false)
        #expect(patches(ScreenReducer.reduce(&state, .personal(reading))).isEmpty)
        #expect(state.look.language == .english)
    }

    @Test("An appearance selected before the store is read stays")
    func touched() {
        var state = ScreenState(given: SettingsPatch())
        _ = ScreenReducer.reduce(&state, .show(.more))
        _ = ScreenReducer.reduce(&state, .more(.change(.theme)))
        let effects = ScreenReducer.reduce(
            &state,
            .personal(
                stored(4) {
                    $0.theme = .highContrast
                    $0.colors = .western
                    $0.language = .english
                }
            )
        )
        #expect(state.look == ScreenAppearance(theme: .light, colors: .western, language: .english))
        #expect(patches(effects).map(\.theme) == [.light])
        #expect(patches(effects).first?.colors == nil && patches(effects).first?.language == nil)
    }
}
