import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Next and previous market follow the order of the list")
struct MarketStepTests {
    private static let order: [MarketID] = ["A_KRW", "B_KRW", "C_KRW", "D_KRW"]

    private static func state(_ market: MarketID, selected: MarketID = "B_KRW") -> ScreenState {
        var list = MarketListScreenState()
        list.order = order
        list.visibleRows = 2
        list.selected = selected
        var state = ScreenState(list: list)
        _ = ScreenReducer.reduce(&state, .open(market))
        return state
    }

    @Test(
        "a step opens the neighbor, stops at the ends, and marks the market in the list",
        arguments: [
            ("B_KRW", 1, "C_KRW"), ("B_KRW", -1, "A_KRW"), ("D_KRW", 1, "D_KRW"),
            ("A_KRW", -1, "A_KRW"), ("A_KRW", .max, "D_KRW"), ("D_KRW", .min, "A_KRW"),
            ("OTHER_KRW", 1, "B_KRW"),
        ] as [(MarketID, Int, MarketID)]
    )
    func steps(market: MarketID, step: Int, expected: MarketID) {
        var state = Self.state(market)
        _ = ScreenReducer.reduce(&state, .stepMarket(step))
        #expect(state.focusedDetail?.market == expected)
        #expect(state.list.selected == expected)
        let index = state.list.order.firstIndex(of: expected)
        #expect(index.map { state.list.window.contains($0) } == true)
    }

    @Test("the next market keeps pane, interval and days, and its data are requested")
    func keeps() {
        var state = Self.state("A_KRW")
        for action in [MarketDetailAction.focus(.trades), .toggleDays, .longerInterval] {
            _ = ScreenReducer.reduce(&state, .detail(action))
        }
        let before = state.detail
        let effects = ScreenReducer.reduce(&state, .stepMarket(1))
        #expect(state.detail?.focus == .trades && state.detail?.trades.showsDays == true)
        #expect(state.detail?.chart.interval == before?.chart.interval)
        #expect(effects == [.hold(state.interests)])
    }

    @Test("a market that was opened first steps through the list, which is then read")
    func unread() throws {
        let clock = ScriptedClock()
        var opening = ScreenOpening()
        opening.market = "C3_KRW"
        let screen = ScriptedScreen(clock: clock, [.keys([.character(".")])])
        var loop = TerminalLoop(
            model: ScriptedModel(clock: clock),
            screen: screen,
            state: ScreenState(given: SettingsPatch(), opening: opening)
        )
        _ = loop.run()
        #expect(loop.state.focusedDetail?.market == "C4_KRW")
    }

    @Test("without a list the key says why nothing happens")
    func unlisted() {
        var state = Self.state("A_KRW")
        state.list.order = []
        _ = ScreenReducer.reduce(&state, .stepMarket(1))
        #expect(state.notice == .unlisted && state.detail?.market == "A_KRW")
        state.list.isRead = true
        _ = ScreenReducer.reduce(&state, .stepMarket(1))
        #expect(state.notice == .listEmpty && state.detail?.market == "A_KRW")
    }
}
