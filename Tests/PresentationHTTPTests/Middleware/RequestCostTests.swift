import Domain
import TestSupport
import ViewStates
import Testing

@testable import PresentationHTTP

@Suite("Costs of requests")
struct RequestCostTests {
    private static func detail(_ change: (inout MarketDetailQuery) -> Void) -> MarketDetailQuery {
        var query = MarketDetailQuery(market: "BTC_KRW")
        change(&query)
        return query
    }

    private static let newest = detail { $0.candles = .newest(count: 3_000, before: nil) }

    @Test(
        "rows, candles and compression decide the units",
        arguments: [
            (DocumentQuery.marketList(MarketListQuery()), 3, 5),
            (.orderBook(detail { $0.depth = 30 }), 1, 1),
            (.trades(detail { $0.tradeLimit = 200 }), 1, 2),
            (.marketDetail(MarketDetailQuery(market: "BTC_KRW")), 2, 6),
            (.candles(newest), 16, 61),
            (.candles(detail { $0.candles = .at(.noon()) }), 1, 1),
            (
                .candles(
                    detail {
                        $0.candles = .newest(count: 3_000, before: nil)
                        $0.averageWindows = []
                    }
                ), 7, 19
            ),
            (.assets(AssetsQuery()), 2, 3),
        ]
    )
    func units(query: DocumentQuery, json: Int, gzip: Int) {
        #expect(RequestCost(query, isGzip: false).units == json)
        #expect(RequestCost(query, isGzip: true).units == gzip)
    }

    @Test("a snapshot costs what its documents do, a stream twice as much as a document")
    func sums() {
        let snapshot = SnapshotQuery(
            marketList: MarketListQuery(),
            marketDetail: Self.newest,
            assets: AssetsQuery()
        )
        let units = RequestCost(.snapshot(snapshot), isGzip: true).units
        #expect((66...72).contains(units))
        let stream = RequestCost(streaming: .snapshot(snapshot), isGzip: true).units
        #expect((units * 2 - 2...units * 2).contains(stream))
        let user = UserSnapshotQuery(market: snapshot, portfolio: .korean)
        #expect(RequestCost(UserDocumentQuery.snapshot(user), isGzip: true).units == units + 1)
        let own = RequestCost(streaming: UserDocumentQuery.snapshot(user), isGzip: true).units
        #expect((units * 2...units * 2 + 2).contains(own))
    }

    @Test("named markets and a limit make a list cheaper")
    func fewer() {
        var query = MarketListQuery()
        query.limit = 20
        #expect(RequestCost(streaming: DocumentQuery.marketList(query), isGzip: true).units == 1)
        query = MarketListQuery()
        query.markets = ["BTC_KRW", "ETH_KRW"]
        #expect(RequestCost(DocumentQuery.marketList(query), isGzip: true).units == 1)
    }

    @Test("a page costs its rows and what keeps the others; further pages of it their rows only")
    func pages() {
        var query = MarketListQuery()
        query.limit = 100
        func units(isGzip: Bool) -> [Int] {
            [
                RequestCost(DocumentQuery.marketList(query), isGzip: isGzip).units,
                RequestCost(UserDocumentQuery.marketList(query), isGzip: isGzip).units,
            ]
        }
        #expect(units(isGzip: false) == [2, 2] && units(isGzip: true) == [3, 3])
        query.revision = "epoch-1"
        #expect(units(isGzip: false) == [1, 1] && units(isGzip: true) == [2, 2])
        // A snapshot has no pages.
        query.revision = nil
        let snapshot = SnapshotQuery(marketList: query, marketDetail: nil)
        #expect(RequestCost(DocumentQuery.snapshot(snapshot), isGzip: false).units == 1)
    }

    @Test("a streamed document is expected to take more with more rows")
    func bytes() {
        let detail = RequestCost.streamedBytes(.candles(Self.newest))
        #expect(detail > 5 << 20 && detail < 10 << 20)
        #expect(RequestCost.streamedBytes(.orderBook(Self.newest)) < 20_000)
        #expect(RequestCost.streamedBytes(UserDocumentQuery.cash) < 100_000)
    }
}
