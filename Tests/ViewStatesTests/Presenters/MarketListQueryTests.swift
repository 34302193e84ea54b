import Domain
import TestSupport
import Testing
@testable import ViewStates

@Suite("A market list query has defaults, is echoed and is passed to the use case")
struct MarketListQueryTests {
    @Test("the default is all won markets by popularity over 24 hours")
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

    @Test("named markets override the quote currency, which overrides all markets")
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

    @Test("sort, direction, period and search reach the use case")
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
}
