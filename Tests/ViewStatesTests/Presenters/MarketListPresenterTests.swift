import Domain
import ViewStates
import TestSupport
import Testing

@Suite("A list tells what was asked, how much of it there is and why there may be nothing")
struct MarketListPresenterTests {
    @Test(
        "Offset and limit cut a window out of the order, whatever their size",
        arguments: [
            (0, 1_000, ["BTC", "ETH", "XRP", "NEW"]), (0, 2, ["BTC", "ETH"]),
            (1, 2, ["ETH", "XRP"]),
            (3, 1, ["NEW"]), (3, 5, ["NEW"]), (4, 1, []), (.max, 1_000, []),
            (0, .max, ["BTC", "ETH", "XRP", "NEW"]),
            (-1, 1, ["BTC"]), (0, -1, []),
        ] as [(Int, Int, [String])]
    )
    func window(offset: Int, limit: Int, symbols: [String]) {
        var query = MarketListQuery()
        query.offset = offset
        query.limit = limit
        let list = present(query, .live())
        #expect(list.rows.map(\.symbol) == symbols)
        #expect(list.total == 4 && list.filtered == 4)
        // The list is not empty, only the window beyond its end is.
        #expect(list.emptyReason == nil)
        #expect(list.query.offset == offset && list.query.limit == limit)
    }

    @Test(
        "A search leaves the total and counts the hits",
        arguments: ["이더", "ethereum", "eth", "ㅇㄷㄹㅇ"]
    )
    func search(text: String) {
        var query = MarketListQuery()
        query.searchText = text
        let list = present(query, .live())
        #expect(list.rows.map(\.market) == ["ETH_KRW"])
        #expect(list.total == 4 && list.filtered == 1 && list.query.q == text)
    }

    @Test("A blank search is none", arguments: [nil, "", "  ", "\t"])
    func blankSearch(text: String?) {
        var query = MarketListQuery()
        query.searchText = text
        let list = present(query, .live())
        #expect(list.filtered == 4 && list.query.q == nil)
    }

    @Test("A search without a hit says so")
    func noMatch() {
        var query = MarketListQuery()
        query.searchText = "없는코인"
        let list = present(query, .live())
        #expect(list.rows.isEmpty && list.emptyReason == .noMatch)
        #expect(list.total == 4 && list.filtered == 0)
    }

    @Test("Names that are no market are missing, those that are have rows")
    func missing() {
        var query = MarketListQuery()
        query.quote = nil
        query.markets = ["XRP_KRW", "NONE_KRW", "ETH_BTC", "NONE_BTC"]
        query.invalidMarketNames = ["???"]
        let list = present(query, .live())
        #expect(list.rows.map(\.market) == ["ETH_BTC", "XRP_KRW"])
        #expect(list.missing == ["NONE_KRW", "NONE_BTC", "???"])
        #expect(list.total == 2 && list.emptyReason == nil)
        query.markets = ["NONE_KRW"]
        #expect(present(query, .live()).emptyReason == .noMatch)
    }

    @Test("Until the first listing a list is loading, and no name is called missing")
    func loading() {
        var query = MarketListQuery()
        query.markets = ["BTC_KRW"]
        query.invalidMarketNames = ["???"]
        let list = present(query, SampleBoard())
        #expect(list.health.phase == .loading && list.emptyReason == .loading)
        #expect(list.missing == ["???"])
    }

    @Test("A first listing that failed is an error, not a list without markets")
    func failed() {
        var sample = SampleBoard()
        sample.apply(.feed(.listingFailed(.sample, nextRetryAt: sample.now)))
        let list = present(MarketListQuery(), sample)
        #expect(list.health.phase == .failed && list.emptyReason == .error)
    }

    @Test("The list of one currency may be awaited while the other is there")
    func oneCurrency() {
        var sample = SampleBoard()
        sample.list(.krw, [.sample("BTC_KRW", price: "1", tradeValue: "1", "0")])
        var bitcoin = MarketListQuery()
        bitcoin.quote = .btc
        var named = MarketListQuery()
        named.quote = nil
        named.markets = ["ETH_BTC", "NONE_KRW"]
        #expect(present(bitcoin, sample).emptyReason == .loading)
        #expect(present(named, sample).emptyReason == .loading)
        #expect(present(named, sample).missing == ["NONE_KRW"])
        #expect(present(MarketListQuery(), sample).emptyReason == nil)

        sample.apply(.feed(.listingFailed(.sample, nextRetryAt: sample.now)))
        #expect(present(bitcoin, sample).emptyReason == .error)

        sample.list(.btc, [])
        #expect(present(bitcoin, sample).emptyReason == .noMatch)
        #expect(present(named, sample).missing == ["ETH_BTC", "NONE_KRW"])
    }

    @Test("An ended recording without markets has nothing to wait for")
    func ended() {
        var sample = SampleBoard(kind: .replay)
        sample.apply(.feed(.ended))
        #expect(present(MarketListQuery(), sample).emptyReason == .noMatch)
    }

    @Test("Entries that could not be read are counted")
    func skipped() {
        var sample = SampleBoard.live()
        sample.apply(.skipped(3), .skipped(2))
        #expect(present(MarketListQuery(), sample).skipped == 5)
    }

    @Test("Rows show the present board in the order that is handed in")
    func keptOrder() {
        var sample = SampleBoard.live()
        let query = MarketListQuery()
        let old = query.listMarkets(sample.board, names: .sample, now: sample.now)
        sample.wait(.seconds(1))
        sample.list(.krw, [.sample("XRP_KRW", price: "750", tradeValue: "999999999999999", "1")])
        let cut = sample.cut()
        let list = MarketListPresenter(names: .sample).present(
            cut,
            query: query,
            list: old,
            ranks: PopularityRanks(cut.board, names: .sample, now: cut.capturedAt)
        )
        #expect(list.rows.map(\.symbol) == ["BTC", "ETH", "XRP", "NEW"])
        #expect(list.rows[2].priceText == "750.0" && list.rows[2].rank == 1)
    }

    @Test("Ranks are places by turnover in won among all markets, whatever was asked")
    func ranks() {
        let expected = ["BTC_KRW": 1, "ETH_BTC": 2, "ETH_KRW": 3, "XRP_KRW": 4]
        for sort in MarketSortKey.allCases {
            for quote in [Quote?.none, .krw, .btc] {
                var query = MarketListQuery()
                query.sort = sort
                query.direction = sort.naturalDirection
                query.quote = quote
                let rows = present(query, .live()).rows
                #expect(!rows.isEmpty)
                for row in rows { #expect(row.rank == expected[row.market], "\(row.market)") }
            }
        }
    }

    @Test("One broken row does not move names to other prices")
    func rowsBelongTogether() {
        for row in present(MarketListQuery(), .live()).rows {
            #expect(row.market == row.symbol + "_" + row.quote)
            let name = CoinNames.sample[row.symbol]
            #expect(row.name == .init(ko: name?.korean, en: name?.english))
        }
    }

    private func present(_ query: MarketListQuery, _ sample: SampleBoard) -> MarketListViewState {
        var sample = sample
        let cut = sample.cut()
        return MarketListPresenter(names: .sample).present(
            cut,
            query: query,
            list: query.listMarkets(cut.board, names: .sample, now: cut.capturedAt),
            ranks: PopularityRanks(cut.board, names: .sample, now: cut.capturedAt)
        )
    }
}
