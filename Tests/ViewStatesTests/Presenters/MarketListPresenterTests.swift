import Domain
import ViewStates
import TestSupport
import Testing

@Suite("A market list has its query, its counts and a reason if it is empty")
struct MarketListPresenterTests {
    @Test(
        "offset and limit select a window of the order at any size",
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
        "a search keeps the total and counts its matches",
        arguments: ["이더", "ethereum", "eth", "ㅇㄷㄹㅇ"]
    )
    func search(text: String) {
        var query = MarketListQuery()
        query.searchText = text
        let list = present(query, .live())
        #expect(list.rows.map(\.market) == ["ETH_KRW"])
        #expect(list.total == 4 && list.filtered == 1 && list.query.q == text)
    }

    @Test("a blank search does not filter and is echoed as null", arguments: [nil, "", "  ", "\t"])
    func blankSearch(text: String?) {
        var query = MarketListQuery()
        query.searchText = text
        let list = present(query, .live())
        #expect(list.filtered == 4 && list.query.q == nil)
    }

    @Test("a search without a match has that as the empty reason")
    func noMatch() {
        var query = MarketListQuery()
        query.searchText = "없는코인"
        let list = present(query, .live())
        #expect(list.rows.isEmpty && list.emptyReason == .noMatch)
        #expect(list.total == 4 && list.filtered == 0)
    }

    @Test("requested markets have rows, and unknown names are reported as missing")
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

    @Test("before the first listing a list is loading, and only invalid names are missing")
    func loading() {
        var query = MarketListQuery()
        query.markets = ["BTC_KRW"]
        query.invalidMarketNames = ["???"]
        let list = present(query, SampleBoard())
        #expect(list.health.phase == .loading && list.emptyReason == .loading)
        #expect(list.missing == ["???"])
    }

    @Test("a failed first listing is an error, not an empty list")
    func failed() {
        var sample = SampleBoard()
        sample.apply(.feed(.listingFailed(.sample, nextRetryAt: sample.now)))
        let list = present(MarketListQuery(), sample)
        #expect(list.health.phase == .failed && list.emptyReason == .error)
    }

    @Test("one quote currency can be loading while the other is ready")
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

    @Test("an ended recording without markets is not loading")
    func ended() {
        var sample = SampleBoard(kind: .replay)
        sample.apply(.feed(.ended))
        #expect(present(MarketListQuery(), sample).emptyReason == .noMatch)
    }

    @Test("unreadable entries are counted")
    func skipped() {
        var sample = SampleBoard.live()
        sample.apply(.skipped(3), .skipped(2))
        #expect(present(MarketListQuery(), sample).skipped == 5)
    }

    @Test("rows have the board's current values in the given order")
    func keptOrder() {
        var sample = SampleBoard.live()
        let query = MarketListQuery()
        let old = query.listMarkets(sample.board, names: .sample, now: sample.now)
        sample.wait(.seconds(1))
        sample.list(.krw, [.sample("XRP_KRW", price: "750", tradeValue: "999999999999999", "1")])
        let snapshot = sample.snapshot()
        let list = MarketListPresenter(names: .sample).present(
            snapshot,
            query: query,
            list: old,
            ranks: PopularityRanks(snapshot.board, names: .sample, now: snapshot.capturedAt)
        )
        #expect(list.rows.map(\.symbol) == ["BTC", "ETH", "XRP", "NEW"])
        #expect(list.rows[2].priceText == "750.0" && list.rows[2].rank == 1)
    }

    @Test("ranks are by turnover in won among all markets, whatever the query")
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

    @Test("each row has the name of its own symbol")
    func rowsBelongTogether() {
        for row in present(MarketListQuery(), .live()).rows {
            #expect(row.market == row.symbol + "_" + row.quote)
            let name = CoinNames.sample[row.symbol]
            #expect(row.name == .init(ko: name?.korean, en: name?.english))
        }
    }

    private func present(_ query: MarketListQuery, _ sample: SampleBoard) -> MarketListViewState {
        var sample = sample
        let snapshot = sample.snapshot()
        return MarketListPresenter(names: .sample).present(
            snapshot,
            query: query,
            list: query.listMarkets(snapshot.board, names: .sample, now: snapshot.capturedAt),
            ranks: PopularityRanks(snapshot.board, names: .sample, now: snapshot.capturedAt)
        )
    }
}
