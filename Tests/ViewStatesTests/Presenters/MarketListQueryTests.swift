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

    @Test("a list shows the changes of all markets, or of those that it selects")
    func shownPeriods() {
        let order: [MarketID] = ["BTC_KRW", "ETH_KRW", "XRP_KRW"]
        var query = MarketListQuery()
        query.period = .hour1
        let all: Set<ShownPeriod> = [.list(.hour1, .krw)]
        #expect(query.periodsOfAll == all && query.shownPeriods(of: order) == all)
        // Part of the rows: they go first.
        query.offset = 1
        query.limit = 1
        #expect(query.shownPeriods(of: order) == all.union([.row(.hour1, "ETH_KRW")]))
        query.quote = nil
        #expect(query.periodsOfAll == [.list(.hour1, .krw), .list(.hour1, .btc)])
        // A ranking of selected markets needs all of them, but no others.
        let rows = Set<ShownPeriod>.rows(.hour1, of: order)
        query.searchText = "bit"
        #expect(query.periodsOfAll.isEmpty && query.shownPeriods(of: order) == rows)
        query.searchText = " "
        #expect(query.periodsOfAll.count == 2)
        query.markets = order
        #expect(query.periodsOfAll.isEmpty && query.shownPeriods(of: order) == rows)
        query.markets = nil
        query.tab = .favorites
        #expect(query.periodsOfAll.isEmpty && query.shownPeriods(of: order) == rows)
        // The day's base is the previous close.
        query.period = .midnight
        #expect(query.shownPeriods(of: order).isEmpty)
        query.tab = .markets
        #expect(query.shownPeriods(of: order).isEmpty)
        var detail = MarketDetailQuery(market: "XRP_KRW")
        detail.period = .hours12
        #expect(detail.shownPeriods == [.row(.hours12, "XRP_KRW")])
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
