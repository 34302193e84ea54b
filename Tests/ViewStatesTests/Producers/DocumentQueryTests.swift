import ViewStates
import TestSupport
import Testing

@testable import Domain

@Suite("Readiness of queries")
struct DocumentQueryTests {
    private static let market: MarketID = "XRP_KRW"
    private static let detail = MarketDetailQuery(market: market)

    @Test("each query follows exactly its details")
    func interests() {
        var query = Self.detail
        query.interval = .minutes3
        func interest(_ facet: DetailFacet) -> DetailInterest {
            DetailInterest(market: Self.market, facet: facet)
        }
        let whole: Set = [
            interest(.book), interest(.trades), interest(.candles(.minutes3)),
            interest(.candles(.day1)),
        ]
        #expect(DocumentQuery.marketList(MarketListQuery()).interests == [])
        #expect(DocumentQuery.marketDetail(query).interests == whole)
        #expect(DocumentQuery.orderBook(query).interests == [interest(.book)])
        #expect(DocumentQuery.trades(query).interests == [interest(.trades)])
        #expect(DocumentQuery.candles(query).interests == [interest(.candles(.minutes3))])
        let both = SnapshotQuery(marketList: MarketListQuery(), marketDetail: query)
        #expect(DocumentQuery.snapshot(both).interests == whole)
        let list = SnapshotQuery(marketList: MarketListQuery(), marketDetail: nil)
        #expect(DocumentQuery.snapshot(list).interests == [])
    }

    @Test("the parts with changes are the list and the market's detail")
    func partsWithChanges() {
        let list = MarketListQuery()
        let both = SnapshotQuery(marketList: list, marketDetail: Self.detail, assets: AssetsQuery())
        let onlyList = SnapshotQuery(marketList: list, marketDetail: nil)
        let onlyDetail = SnapshotQuery(marketList: nil, marketDetail: Self.detail)
        #expect(DocumentQuery.marketList(list).partsWithChanges == onlyList)
        #expect(DocumentQuery.marketDetail(Self.detail).partsWithChanges == onlyDetail)
        #expect(DocumentQuery.snapshot(both).partsWithChanges == both)
        #expect(UserDocumentQuery.marketList(list).partsWithChanges == onlyList)
        for query in [
            .orderBook(Self.detail), .trades(Self.detail), .candles(Self.detail),
            .assets(AssetsQuery()),
        ] as [DocumentQuery] {
            #expect(query.partsWithChanges == .empty)
        }
    }

    @Test("documents that show transfers request them, and lists of transfers wait for them")
    func transfers() {
        let assets = DocumentQuery.assets(AssetsQuery())
        let detail = DocumentQuery.marketDetail(Self.detail)
        let snapshot = DocumentQuery.snapshot(
            SnapshotQuery(marketList: nil, marketDetail: nil, assets: AssetsQuery())
        )
        #expect(assets.includesTransfers && detail.includesTransfers && snapshot.includesTransfers)
        let list = SnapshotQuery(marketList: MarketListQuery(), marketDetail: nil)
        for query in [
            .marketList(MarketListQuery()), .orderBook(Self.detail), .trades(Self.detail),
            .candles(Self.detail), .snapshot(list),
        ] as [DocumentQuery] {
            #expect(!query.includesTransfers)
        }
        var sample = SampleBoard.live()
        #expect(!assets.isReady(in: sample.board) && !snapshot.isReady(in: sample.board))
        sample.transfers([:])
        #expect(assets.isReady(in: sample.board) && snapshot.isReady(in: sample.board))
        var failed = SampleBoard()
        failed.applyReference(.assetStatesFailed(.sample, nextRetryAt: failed.now))
        #expect(assets.isReady(in: failed.board))
        // A recording has no transfers.
        #expect(assets.isReady(in: MarketBoard(kind: .replay)))
        #expect(!assets.isReady(in: MarketBoard(kind: .simulated)))
    }

    @Test("a query waits for each of its parts")
    func parts() {
        var sample = SampleBoard.live()
        sample.open(Self.market, .book, .trades, .candles(.day1), .candles(.minute1))
        #expect(settled(sample) == [])
        sample.book(Self.market, asks: [], bids: [])
        #expect(settled(sample) == ["book"])
        // Live trades alone are not the whole tape.
        sample.trade(Self.market, at: "743")
        #expect(settled(sample) == ["book"])
        sample.joinTrades(Self.market)
        #expect(settled(sample) == ["book", "trades"])
        sample.candles(Self.market, .minute1, [])
        #expect(settled(sample) == ["book", "trades"])
        sample.candles(Self.market, .day1, [])
        #expect(settled(sample) == ["book", "trades", "candles", "detail", "snapshot"])
    }

    @Test("a query does not wait for a failed part")
    func failed() {
        var sample = SampleBoard.live()
        let facets: [DetailFacet] = [.book, .trades, .candles(.day1)]
        for facet in facets {
            sample.open(Self.market, facet)
            let interest = DetailInterest(market: Self.market, facet: facet)
            sample.applyDetails(.feed(.failed(interest, .sample, nextRetryAt: sample.now)))
        }
        #expect(settled(sample) == ["book", "trades", "candles", "detail", "snapshot"])
    }

    @Test("available data stays ready when the stream is lost")
    func lost() {
        var sample = SampleBoard.live()
        sample.open(Self.market, .book, .trades, .candles(.day1))
        sample.trade(Self.market, at: "743")
        sample.book(Self.market, asks: [], bids: [])
        sample.joinTrades(Self.market)
        sample.candles(Self.market, .day1, [])
        sample.apply(.feed(.reconnecting(attempt: 1, nextRetryAt: sample.now, failure: .sample)))
        sample.applyDetails(
            .feed(.disconnected(attempt: 1, nextRetryAt: sample.now, failure: .sample))
        )
        #expect(settled(sample) == ["book", "trades", "candles", "detail", "snapshot"])
    }

    @Test("a market is unknown once its currency is listed")
    func unknown() {
        var sample = SampleBoard()
        let query = DocumentQuery.orderBook(MarketDetailQuery(market: "NONE_KRW"))
        #expect(!query.isUnknown(in: sample.board) && !query.isReady(in: sample.board))
        sample.list(.btc, [])
        #expect(!query.isUnknown(in: sample.board) && !query.isReady(in: sample.board))
        sample.list(.krw, [])
        #expect(query.isUnknown(in: sample.board) && query.isReady(in: sample.board))
        let list = DocumentQuery.marketList(MarketListQuery())
        #expect(!list.isUnknown(in: sample.board) && list.isReady(in: sample.board))
    }

    @Test("before the first list nothing is ready, unless the list failed")
    func noList() {
        var sample = SampleBoard()
        sample.open(Self.market, .book)
        sample.book(Self.market, asks: [], bids: [])
        #expect(settled(sample) == [])
        sample.apply(.feed(.listingFailed(.sample, nextRetryAt: sample.now)))
        #expect(settled(sample) == ["book"])
    }

    @Test("an ended recording is always ready")
    func ended() {
        var sample = SampleBoard(kind: .replay)
        sample.apply(.feed(.ended))
        #expect(settled(sample) == ["book", "trades", "candles", "detail", "snapshot"])
    }

    private func settled(_ sample: SampleBoard) -> [String] {
        let snapshot = SnapshotQuery(marketList: nil, marketDetail: Self.detail)
        let queries: [(String, DocumentQuery)] = [
            ("book", .orderBook(Self.detail)), ("trades", .trades(Self.detail)),
            ("candles", .candles(Self.detail)), ("detail", .marketDetail(Self.detail)),
            ("snapshot", .snapshot(snapshot)),
        ]
        return queries.filter { $0.1.isReady(in: sample.board) }.map(\.0)
    }
}
