import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Market list screen state: query and visible window")
struct MarketListScreenStateTests {
    @Test(
        "The query covers the visible window of the tab",
        arguments: [
            (.krw, .markets, .krw), (.btc, .markets, .btc), (.popular, .popular, nil),
        ] as [(MarketListTab, MarketListQuery.Tab, Quote?)]
    )
    func screen(tab: MarketListTab, queryTab: MarketListQuery.Tab, quote: Quote?) {
        var state = MarketListScreenState(period: .midnight)
        state.tab = tab
        state.sort = .price
        state.direction = .ascending
        state.order = ["A_KRW", "B_KRW", "C_KRW", "D_KRW"]
        state.firstVisible = 1
        state.visibleRows = 2
        state.searchText = "b"
        var expected = MarketListQuery()
        expected.tab = queryTab
        expected.quote = quote
        expected.period = .midnight
        expected.sort = .price
        expected.direction = .ascending
        expected.searchText = "b"
        expected.offset = 1
        expected.limit = 2
        expected.language = .english
        expected.messageLanguage = .english
        #expect(state.query(language: .english) == expected)
        state.searchText = ""
        #expect(state.query(language: .english).searchText == nil)
    }

    @Test("The window stays within the order", arguments: [-5, 0, 2, 4, 9])
    func window(firstVisible: Int) {
        var state = MarketListScreenState()
        state.order = ["A_KRW", "B_KRW", "C_KRW", "D_KRW"]
        for visibleRows in [-1, 0, 1, 3, 100] {
            state.firstVisible = firstVisible
            state.visibleRows = visibleRows
            #expect(state.window.lowerBound >= 0 && state.window.upperBound <= 4)
            #expect(state.window.count <= max(visibleRows, 0))
        }
    }
}
