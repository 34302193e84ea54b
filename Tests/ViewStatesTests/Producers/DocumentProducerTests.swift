import Domain
import Foundation
import TestSupport
import Testing
import UseCases

@testable import ViewStates

@Suite("Document producers", .tags(.threads))
struct DocumentProducerTests {
    @Test("revisions change exactly when contents do, over random events")
    func property() throws {
        var bench = DetailFeedHarness()
        var generator = SeededGenerator(seed: 51)
        var last: [Int: (revision: String, state: OrderedJSON)] = [:]
        var changes: [Int: Int] = [:]
        for _ in 0..<150 {
            bench.randomStep(&generator)
            for (index, query) in DetailFeedHarness.queries.enumerated() {
                let (bytes, revision) = bench.documents.bytes(query)
                let state = try #require(try OrderedJSON(bytes)["state"])
                if let before = last[index] {
                    #expect((before.revision == revision) == (before.state == state), "\(index)")
                    if before.revision != revision { changes[index, default: 0] += 1 }
                }
                last[index] = (revision, state)
            }
        }
        for index in DetailFeedHarness.queries.indices {
            #expect((1..<149).contains(changes[index] ?? 0), "\(index)")
        }
    }

    @Test("the change of a requested header is in use")
    func shownPeriods() {
        let bench = DetailFeedHarness()
        var query = MarketDetailQuery(market: DetailFeedHarness.market)
        query.period = .minutes30
        _ = bench.documents.bytes(.marketDetail(query))
        #expect(bench.periods.wanted == [.row(.minutes30, DetailFeedHarness.market)])
        query.period = .hours12
        let both = SnapshotQuery(marketList: nil, marketDetail: query)
        _ = bench.documents.bytes(.snapshot(both))
        #expect(bench.periods.wanted.contains(.row(.hours12, DetailFeedHarness.market)))
    }

    @Test("typed documents equal their bytes")
    func typed() throws {
        let bench = DetailFeedHarness()
        let query = MarketDetailQuery(market: DetailFeedHarness.market)
        let documents = bench.documents
        try expect(documents.marketDetail.document(query), .marketDetail(query), bench)
        try expect(documents.orderBook.document(query), .orderBook(query), bench)
        try expect(documents.trades.document(query), .trades(query), bench)
        try expect(documents.candles.document(query), .candles(query), bench)
        let both = SnapshotQuery(marketList: MarketListQuery(), marketDetail: query)
        try expect(documents.snapshot.document(both), .snapshot(both), bench)
    }

    private func expect<State>(
        _ document: Document<State>,
        _ query: DocumentQuery,
        _ bench: DetailFeedHarness
    ) throws {
        let (bytes, revision) = bench.documents.bytes(query)
        #expect(document.revision == revision && document.json == bytes)
        #expect(document.schema == State.schemaName)
        #expect(try JSONDecoder().decode(Document<State>.self, from: Data(bytes)) == document)
    }

    @Test("a snapshot without changes keeps revision, time and bytes")
    func unchanged() {
        var bench = DetailFeedHarness()
        let before = DetailFeedHarness.queries.map { bench.documents.bytes($0) }
        bench.wait(.milliseconds(100))
        let after = DetailFeedHarness.queries.map { bench.documents.bytes($0) }
        for (one, other) in zip(before, after) {
            #expect(one.revision == other.revision && one.bytes == other.bytes)
        }
    }

    @Test("a book turns stale after ten seconds without data: a new revision")
    func stale() {
        var bench = DetailFeedHarness()
        let query = MarketDetailQuery(market: DetailFeedHarness.market)
        let first = bench.documents.orderBook.document(query)
        bench.wait(.milliseconds(9_999))
        #expect(bench.documents.orderBook.document(query).revision == first.revision)
        bench.wait(.milliseconds(1))
        let second = bench.documents.orderBook.document(query)
        #expect(first.state.block.health.phase == .ready)
        #expect(second.state.block.health.phase == .stale && first.revision != second.revision)
    }

    @Test("a trade leaves the documents of other markets unchanged")
    func others() {
        var bench = DetailFeedHarness()
        let query = MarketDetailQuery(market: DetailFeedHarness.market)
        let before = bench.documents.trades.bytes(query).revision
        bench.wait(.milliseconds(100)) { $0.trade("XRP_KRW", at: "744") }
        #expect(bench.documents.trades.bytes(query).revision == before)
        bench.wait(.milliseconds(100)) { $0.trade(DetailFeedHarness.market, at: "143210000") }
        #expect(bench.documents.trades.bytes(query).revision != before)
    }
}

@Suite("Consistency of snapshots", .tags(.threads))
struct SnapshotConsistencyTests {
    @Test("a document never mixes two snapshots, under concurrent publishing")
    func oneSnapshot() throws {
        var bench = DetailFeedHarness()
        var detail = MarketDetailQuery(market: DetailFeedHarness.market)
        detail.tradeLimit = 1
        let query = SnapshotQuery(marketList: MarketListQuery(), marketDetail: detail)
        let producer = bench.documents.snapshot
        let readers = (0..<3).map { _ in
            ReadingThread {
                var mixed: [Int: Int] = [:]
                for _ in 0..<300 {
                    let state = producer.document(query).state
                    let listed = state.marketList?.rows.first { $0.market == "BTC_KRW" }?.price
                    let shown = [
                        state.marketDetail?.header.price, state.marketDetail?.chart.lastPrice,
                        state.marketDetail?.trades.rows.first?.price,
                    ]
                    mixed[shown.allSatisfy { $0 == listed } ? 1 : 0, default: 0] += 1
                }
                return mixed
            }
        }
        for number in Int64(0)..<400 {
            bench.wait(.milliseconds(1)) {
                $0.trade(DetailFeedHarness.market, at: FixedDecimal(143_000_000 + number))
            }
        }
        for reader in readers { #expect(reader.join() == [1: 300]) }
    }

    @Test("the list of a snapshot equals the list document, order included")
    func sameOrder() {
        var bench = DetailFeedHarness()
        let query = SnapshotQuery(marketList: MarketListQuery(), marketDetail: nil)
        for _ in 0..<8 {
            bench.wait(.milliseconds(700)) { $0.trade("XRP_KRW", at: "99999999999") }
            let list = bench.documents.marketList.document(MarketListQuery())
            #expect(bench.documents.snapshot.document(query).state.marketList == list.state)
        }
    }

    @Test("a snapshot holds the requested documents only")
    func parts() {
        let bench = DetailFeedHarness()
        let detail = MarketDetailQuery(market: DetailFeedHarness.market)
        let state = bench.documents.snapshot
            .document(SnapshotQuery(marketList: nil, marketDetail: detail)).state
        #expect(state.marketList == nil)
        #expect(state.marketDetail == bench.documents.marketDetail.document(detail).state)
        let nothing = SnapshotQuery(marketList: nil, marketDetail: nil)
        #expect(
            bench.documents.snapshot.document(nothing).state
                == SnapshotViewState(marketList: nil, marketDetail: nil)
        )
    }
}
