import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Refused settings are submitted again for a reason only")
struct RejectedSettingsTests {
    private typealias Samples = UserScreenSamples
    private static let busy = StoreFailure(.busy, "busy")
    private static let refusal = RejectedChange(change: unpinned, failure: busy, number: 1)
    private static let unpinned: UserChange = {
        var patch = SettingsPatch()
        patch.pinFavorites = false
        return .changeSettings(patch, expecting: nil)
    }()

    /// A session with a period of its own, whose user has just unpinned the favorites.
    private func unpinned() -> ScreenState {
        var given = SettingsPatch()
        given.changePeriod = .minutes30
        var state = ScreenState(given: given)
        _ = updateState(&state, Samples.facts())
        #expect(ScreenReducer.reduce(&state, .togglePinned) == [.perform(Self.unpinned)])
        return state
    }

    private func updateState(_ state: inout ScreenState, _ facts: UserStateUpdate) -> [UserChange] {
        ScreenReducer.reduce(&state, .personal(facts)).compactMap {
            if case .perform(let change) = $0 { change } else { nil }
        }
    }

    @Test(
        "A refusal and time submit nothing; the next ready update submits once",
        arguments: [StoreStatus.ready, .failing(busy)]
    )
    func refused(status: StoreStatus) {
        var state = unpinned()
        let refused = Samples.facts(status: status, refusal: Self.refusal)
        #expect(updateState(&state, refused).isEmpty)
        for _ in 0..<3 {
            let effects = ScreenReducer.reduce(&state, .list(.refresh(now: Samples.now)))
            #expect(effects.allSatisfy { $0 == .reorder })
        }
        let failing = Samples.facts(status: .failing(Self.busy), refusal: Self.refusal)
        #expect(updateState(&state, failing).isEmpty)
        // Ready again: submitted once, with the refused settings and not the given ones.
        let ready = Samples.facts(refusal: Self.refusal)
        #expect(updateState(&state, ready) == [Self.unpinned])
        #expect(updateState(&state, ready).isEmpty)
        var again = Self.refusal
        again.number = 2
        #expect(updateState(&state, Samples.facts(refusal: again)).isEmpty)
        #expect(updateState(&state, Samples.facts()) == [Self.unpinned])
        let kept = Samples.record {
            $0.settings.value.pinFavorites = false
            $0.settings.revision += 1
        }
        #expect(updateState(&state, Samples.facts(kept)).isEmpty)
    }

    @Test("A refused layout stays on the screen and is submitted again")
    func layout() {
        var state = ScreenState(given: SettingsPatch())
        _ = updateState(&state, Samples.facts())
        _ = ScreenReducer.reduce(&state, .open("X_KRW"))
        var patch = SettingsPatch()
        patch.marketLayout = .chartAndBook
        let change = UserChange.changeSettings(patch, expecting: nil)
        #expect(ScreenReducer.reduce(&state, .detail(.nextLayout)).last == .perform(change))
        let refusal = RejectedChange(change: change, failure: Self.busy, number: 1)
        #expect(updateState(&state, Samples.facts(refusal: refusal)).isEmpty)
        #expect(state.detail?.layout == .chartAndBook)
        #expect(updateState(&state, Samples.facts()) == [change])
    }

    @Test("A key that changes settings submits all unsaved ones")
    func changedAgain() {
        var state = unpinned()
        _ = updateState(&state, Samples.facts(refusal: Self.refusal))
        var patch = SettingsPatch()
        patch.pinFavorites = false
        patch.sortDirection = .ascending
        let effects = ScreenReducer.reduce(&state, .list(.reverseSort))
        #expect(effects.contains(.perform(.changeSettings(patch, expecting: nil))))
    }
}
