import Domain
import TestSupport
import Testing

@testable import ViewStates

@Suite("A query has defaults, is echoed whole and becomes the use case that answers it")
struct MarketListQueryTests {
    @Test("The default is won markets by popularity over 24 hours, all of them")
    func defaults() {
        let echo = MarketListQuery().viewState
        #expect(
            echo
                == MarketListQueryViewState(
                    tab: "markets",
                    quote: "KRW",
                    changePeriod: "24H",
                    sort: "popularity",
                    sortDirection: "desc",
                    q: nil,
                    offset: 0,
                    limit: 1_000
                )
        )
    }

    @Test("Named markets come before the currency, and that before all")
    func selection() {
        var query = MarketListQuery()
        #expect(query.listMarkets.selection == .quote(.krw))
        query.quote = nil
        #expect(query.listMarkets.selection == .all)
        #expect(query.quotes == [.krw, .btc])
        query.quote = .btc
        #expect(query.quotes == [.btc])
        query.markets = ["XRP_KRW"]
        #expect(query.listMarkets.selection == .markets(["XRP_KRW"]))
        #expect(query.quotes == [.krw])
    }

    @Test("Sort, direction, period and search reach the use case")
    func useCase() {
        var query = MarketListQuery()
        query.sort = .changeRate
        query.direction = .ascending
        query.period = .hour1
        query.searchText = "비ㅌ"
        let list = query.listMarkets
        #expect(list.sort == .changeRate && list.direction == .ascending && list.period == .hour1)
        #expect(list.search == CoinSearch("비ㅌ"))
    }

    @Test(
        "A screen asks for its window of its tab",
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

    @Test("A window never leaves the order", arguments: [-5, 0, 2, 4, 9])
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
