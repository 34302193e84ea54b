import Domain
import Foundation
import TestSupport
import Testing

@testable import ViewStates

@Suite(
    "Every document has revisions that change with its content, and bytes that all share",
    .tags(.threads)
)
struct DocumentProducerTests {
    @Test("Over any run of events, revisions and contents change together, in every document")
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

    @Test("Typed documents are what the bytes say")
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

    @Test("A cut that changes nothing keeps revision, time and bytes")
    func unchanged() {
        var bench = DetailFeedHarness()
        let before = DetailFeedHarness.queries.map { bench.documents.bytes($0) }
        bench.wait(.milliseconds(100))
        let after = DetailFeedHarness.queries.map { bench.documents.bytes($0) }
        for (one, other) in zip(before, after) {
            #expect(one.revision == other.revision && one.bytes == other.bytes)
        }
    }

    @Test("A book that nobody changes turns stale after ten seconds: a new revision without data")
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

    @Test("A market's trades leave the documents of others as they are")
    func others() {
        var bench = DetailFeedHarness()
        let query = MarketDetailQuery(market: DetailFeedHarness.market)
        let before = bench.documents.trades.bytes(query).revision
        bench.wait(.milliseconds(100)) { $0.trade("XRP_KRW", at: "744") }
        #expect(bench.documents.trades.bytes(query).revision == before)
        bench.wait(.milliseconds(100)) { $0.trade(DetailFeedHarness.market, at: "143210000") }
        #expect(bench.documents.trades.bytes(query).revision != before)
    }

    @Test("Of 257 queries the one asked longest ago is forgotten, and known again")
    func bound() {
        let bench = DetailFeedHarness()
        let cutter = bench.documents.trades
        let queries = (0...DocumentProducers.Trades.queriesMax).map { limit in
            var query = MarketDetailQuery(market: DetailFeedHarness.market)
            query.tradeLimit = limit
            return query
        }
        let revisions = queries.dropLast().map { cutter.document($0).revision }
        #expect(cutter.document(queries[0]).revision == revisions[0])
        _ = cutter.document(queries[DocumentProducers.Trades.queriesMax])
        #expect(cutter.document(queries[0]).revision == revisions[0])
        #expect(cutter.count == DocumentProducers.Trades.queriesMax)
        #expect(cutter.document(queries[1]).revision == revisions[1])
        #expect(cutter.count == DocumentProducers.Trades.queriesMax)
    }

    @Test("Long charts are forgotten before there are so many queries")
    func weight() {
        var bench = DetailFeedHarness()
        bench.wait(.zero) { sample in
            let start = sample.now.advanced(by: .seconds(-60 * 3_000))
            let candles = (0..<3_000).map { number in
                let time = CandleInterval.minute1.bucketStart(
                    of: start.advanced(by: .seconds(number * 60))
                )
                return Candle(time, open: "1", high: "1", low: "1", close: "1")
            }
            sample.wait(.seconds(1))
            sample.candles(DetailFeedHarness.market, .minute1, candles)
        }
        let cutter = bench.documents.candles
        let fitting = DocumentProducers.Candles.bytesMax / (2_900 * 500)
        let queries = (0...fitting).map { number in
            var query = MarketDetailQuery(market: DetailFeedHarness.market)
            query.interval = .minute1
            query.candles = .newest(count: 3_000 - number, before: nil)
            return query
        }
        let first = cutter.document(queries[0])
        #expect(first.state.block.candles.count == 3_000)
        for query in queries.dropFirst() { _ = cutter.document(query) }
        #expect(cutter.count < queries.count)
        #expect(cutter.document(queries[0]) == first)
    }
}

@Suite(
    "A snapshot's documents are of one cut, and the list's order is that of the list",
    .tags(.threads)
)
struct SnapshotConsistencyTests {
    @Test("While cuts are made, no snapshot mixes two of them")
    func oneCut() throws {
        var bench = DetailFeedHarness()
        var detail = MarketDetailQuery(market: DetailFeedHarness.market)
        detail.tradeLimit = 1
        let query = SnapshotQuery(marketList: MarketListQuery(), marketDetail: detail)
        let cutter = bench.documents.snapshot
        let readers = (0..<3).map { _ in
            ReadingThread {
                var mixed: [Int: Int] = [:]
                for _ in 0..<300 {
                    let state = cutter.document(query).state
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

    @Test("The list in a snapshot is the list's own document, order and all")
    func sameOrder() {
        var bench = DetailFeedHarness()
        let query = SnapshotQuery(marketList: MarketListQuery(), marketDetail: nil)
        for _ in 0..<8 {
            bench.wait(.milliseconds(700)) { $0.trade("XRP_KRW", at: "99999999999") }
            let list = bench.documents.marketList.document(MarketListQuery())
            #expect(bench.documents.snapshot.document(query).state.marketList == list.state)
        }
    }

    @Test("A snapshot holds what was asked for and no more")
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
