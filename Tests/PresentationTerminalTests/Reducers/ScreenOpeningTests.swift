import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("A session opens where it is told to")
struct ScreenOpeningTests {
    private typealias Samples = UserScreenSamples

    private static func state(
        given: SettingsPatch = SettingsPatch(),
        _ change: (inout ScreenOpening) -> Void = { _ in }
    ) -> ScreenState {
        var opening = ScreenOpening()
        change(&opening)
        return ScreenState(given: given, opening: opening)
    }

    @Test("A market opens before the settings are read, and adopts them")
    func market() {
        var state = Self.state { $0.market = "ETH_KRW" }
        #expect(state.focusedDetail?.market == "ETH_KRW")
        var settings = UserSettings()
        settings.chartStyle = .line
        settings.marketLayout = .chart
        let record = Samples.record { $0.settings = Revised(settings, revision: 4) }
        let effects = ScreenReducer.reduce(&state, .personal(Samples.facts(record)))
        #expect(state.focusedDetail?.market == "ETH_KRW")
        #expect(state.focusedDetail?.chart.style == .line)
        #expect(state.focusedDetail?.view.panes == [.chart])
        #expect(effects == [.reorder])
    }

    @Test("Tab and order of the command line are for the session and are not saved")
    func given() {
        var given = SettingsPatch()
        (given.tab, given.sort, given.sortDirection) = (.popular, .name, .ascending)
        var state = Self.state(given: given)
        #expect(state.list.tab == .popular)
        var settings = UserSettings()
        settings.quote = .btc
        let record = Samples.record { $0.settings = Revised(settings, revision: 4) }
        #expect(ScreenReducer.reduce(&state, .personal(Samples.facts(record))) == [.reorder])
        #expect(state.list.tab == .popular && state.list.sort == .name)
        #expect(state.list.direction == .ascending)
    }

    @Test("Named markets are all that a list has, and Esc shows the others again")
    func markets() {
        var state = Self.state { $0.markets = ["BTC_KRW", "ETH_BTC"] }
        func markets() -> [MarketID]? { state.list.query(language: .korean).markets }
        #expect(markets() == ["BTC_KRW"])
        state.list.tab = .popular
        #expect(markets() == ["BTC_KRW", "ETH_BTC"])
        state.list.tab = .favorites
        #expect(markets() == nil)
        state.list.tab = .btc
        #expect(ScreenReducer.reduce(&state, .list(.dismiss)) == [.reorder])
        #expect(markets() == nil)
        #expect(ScreenReducer.reduce(&state, .list(.dismiss)).isEmpty)
    }

    @Test("Pages and searches open as given")
    func pages() {
        var query = AssetsQuery()
        query.searchText = "비트"
        query.direction = .descending
        let assets = Self.state { opening in
            opening.page = .assets
            opening.assets = query
        }
        #expect(assets.page == .assets && assets.assets.searchText == "비트")
        #expect(assets.assets.direction == .descending)
        #expect(Self.state { $0.page = .portfolio }.page == .portfolio)
        #expect(Self.state { $0.searchText = "eth" }.list.searchText == "eth")
    }
}
