import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Preferences follow another session of the user")
struct FollowingSettingsTests {
    private typealias Samples = UserScreenSamples

    private static func stored(
        _ revision: Int64,
        _ change: (inout UserSettings) -> Void = { _ in }
    ) -> UserStateUpdate {
        Samples.facts(
            Samples.record {
                change(&$0.settings.value)
                $0.settings.revision = revision
            }
        )
    }

    private func started(given: SettingsPatch = SettingsPatch()) -> ScreenState {
        var state = ScreenState(given: given)
        update(&state, Self.stored(1))
        return state
    }

    @discardableResult
    private func update(_ state: inout ScreenState, _ facts: UserStateUpdate) -> [ScreenEffect] {
        ScreenReducer.reduce(&state, .personal(facts))
    }

    /// The change that an action hands over.
    private static func change(in effects: [ScreenEffect]) throws -> UserChange {
        guard case .perform(let change)? = effects.last else { throw NothingHandedOver() }
        return change
    }

    private struct NothingHandedOver: Error {}

    private func refuse(
        _ state: inout ScreenState,
        _ change: UserChange,
        _ failure: StoreFailure
    ) {
        var facts = Self.stored(1)
        facts.refusal = RejectedChange(change: change, failure: failure, number: 1)
        update(&state, facts)
    }

    private static func others(_ settings: inout UserSettings) {
        settings.changePeriod = .hour1
        settings.pinFavorites = false
        settings.averages = [20]
        settings.chartStyle = .line
        settings.depth = 7
        settings.tab = .popular
        settings.quote = .btc
        settings.sort = .price
        settings.sortDirection = .ascending
        settings.interval = .minutes5
        settings.marketLayout = .chart
    }

    @Test("Preferences are adopted, positions are not, and nothing is saved back")
    func follows() {
        var state = started()
        _ = ScreenReducer.reduce(&state, .open("X_KRW"))
        let effects = update(&state, Self.stored(2, Self.others))
        #expect(effects == [.reorder])
        #expect(state.list.period == .hour1)
        #expect(!state.list.pinsFavorites)
        #expect(state.detail?.chart.averages == [20])
        #expect(state.detail?.chart.style == .line)
        #expect(state.detail?.bookDepth == 7)
        #expect(state.detail?.chart.interval == .day1)
        #expect(state.detail?.view == DetailView())
        #expect(state.list.tab == .krw)
        #expect(state.list.sort == .popularity)
        #expect(state.list.direction == .descending)
        // The next market begins like that one.
        _ = ScreenReducer.reduce(&state, .detail(.dismiss))
        _ = ScreenReducer.reduce(&state, .open("Y_KRW"))
        #expect(state.detail?.chart.averages == [20])
    }

    @Test("A setting given for the session stays")
    func given() {
        var given = SettingsPatch()
        given.changePeriod = .minutes30
        var state = started(given: given)
        update(&state, Self.stored(2, Self.others))
        #expect(state.list.period == .minutes30)
        #expect(!state.list.pinsFavorites)
    }

    @Test("A pending change is not reverted by an older one")
    func ownChange() {
        var state = started()
        _ = ScreenReducer.reduce(&state, .list(.choosePeriod(.hours12)))
        update(&state, Self.stored(2) { $0.changePeriod = .hour1 })
        #expect(state.list.period == .hours12)
        update(&state, Self.stored(3) { $0.changePeriod = .hours12 })
        #expect(state.list.period == .hours12)
        // The pending change is stored: later changes of other sessions are newer.
        update(&state, Self.stored(4) { $0.changePeriod = .midnight })
        #expect(state.list.period == .midnight)
    }

    @Test("Two pending changes are both awaited")
    func twice() {
        var state = started()
        _ = ScreenReducer.reduce(&state, .list(.choosePeriod(.hours12)))
        _ = ScreenReducer.reduce(&state, .list(.choosePeriod(.hour1)))
        update(&state, Self.stored(2) { $0.changePeriod = .hours12 })
        #expect(state.list.period == .hour1)
        update(&state, Self.stored(3) { $0.changePeriod = .hour1 })
        update(&state, Self.stored(4) { $0.changePeriod = .midnight })
        #expect(state.list.period == .midnight)
    }

    @Test("A pending change is awaited, though an earlier one had the same value")
    func thereAndBack() {
        var state = started()
        for period in [ChangePeriod.hours12, .hour1, .hours12] {
            _ = ScreenReducer.reduce(&state, .list(.choosePeriod(period)))
        }
        update(&state, Self.stored(2) { $0.changePeriod = .hours12 })
        update(&state, Self.stored(3) { $0.changePeriod = .hour1 })
        #expect(state.list.period == .hours12)
        update(&state, Self.stored(4) { $0.changePeriod = .hours12 })
        update(&state, Self.stored(5) { $0.changePeriod = .midnight })
        #expect(state.list.period == .midnight)
    }

    @Test("A refused change is no longer awaited")
    func refused() throws {
        var state = started()
        let change = try Self.change(in: ScreenReducer.reduce(&state, .togglePinned))
        refuse(&state, change, StoreFailure(.forbidden, "reading alone"))
        update(&state, Self.stored(2) { $0.pinFavorites = false })
        update(&state, Self.stored(3))
        #expect(state.list.pinsFavorites)
    }

    @Test("A service that does not know the layout refuses it once, and no later change")
    func unknownLayout() throws {
        var state = started()
        _ = ScreenReducer.reduce(&state, .open("X_KRW"))
        let change = try Self.change(in: ScreenReducer.reduce(&state, .detail(.nextLayout)))
        refuse(&state, change, StoreFailure(.refused, "marketLayout: unknown"))
        #expect(state.detail?.layout == .chartAndBook)
        var patch = SettingsPatch()
        patch.pinFavorites = false
        #expect(
            ScreenReducer.reduce(&state, .togglePinned)
                == [.perform(.changeSettings(patch, expecting: nil))]
        )
    }

    @Test("A change behind a refused one is awaited without its revision")
    func behindRefused() throws {
        var state = started()
        let effects = ScreenReducer.reduce(&state, .list(.choosePeriod(.hours12)))
        let change = try Self.change(in: effects)
        _ = ScreenReducer.reduce(&state, .list(.choosePeriod(.hour1)))
        refuse(&state, change, StoreFailure(.forbidden, "reading alone"))
        #expect(state.list.period == .hour1)
        // Its own revision is the next one.
        update(&state, Self.stored(2) { $0.changePeriod = .hour1 })
        update(&state, Self.stored(3) { $0.changePeriod = .midnight })
        #expect(state.list.period == .midnight)
    }
}
