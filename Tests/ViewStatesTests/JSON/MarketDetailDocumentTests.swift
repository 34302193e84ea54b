import Domain
import Foundation
import TestSupport
import Testing

@testable import ViewStates

/// The fixture is the contract's example of `market-detail` version 1, as of 2026-11-20: source
/// `examples/market-detail.json` beside the page on the JSON contract.
@Suite("Market detail documents have the contract's keys and round-trip")
struct MarketDetailDocumentTests {
    private let example: OrderedJSON

    init() throws {
        example = try OrderedJSON(PackageResources.market_detail_json)
    }

    @Test("the contract's example round-trips, order of keys included")
    func exampleRoundTrip() throws {
        let document = try JSONDecoder()
            .decode(MarketDetailDocument.self, from: Data(PackageResources.market_detail_json))
        #expect(document.schema == MarketDetailDocument.schemaName)
        #expect(document.version == MarketDetailDocument.schemaVersion)
        #expect(try OrderedJSON(document.json) == example)
    }

    @Test("a random detail round-trips")
    func roundTrip() throws {
        var samples = DocumentGenerator(generator: SeededGenerator(seed: 17))
        for _ in 0..<300 {
            let document = samples.document(samples.detail())
            let json = Data(document.json)
            #expect(try JSONDecoder().decode(MarketDetailDocument.self, from: json) == document)
        }
    }

    @Test("every object of a random detail has exactly the example's keys in order")
    func keys() throws {
        var samples = DocumentGenerator(generator: SeededGenerator(seed: 18))
        var objectsSeen: Set<String> = []
        for _ in 0..<100 {
            try OrderedJSON(samples.document(samples.detail()).json)
                .compareKeys(with: example, &objectsSeen)
        }
        let blocks = ["header", "orderBook", "trades", "chart"]
        let inBlocks = [
            "header.name", "header.today", "header.rolling24h", "header.marks",
            "header.sparkline", "orderBook.asks[]", "orderBook.bids[]", "orderBook.best",
            "orderBook.best.ask", "orderBook.best.bid", "orderBook.totals", "trades.rows[]",
            "chart.candles[]", "chart.candles[].averages", "chart.candles[].averages.close",
            "chart.candles[].averages.volume", "chart.range", "chart.gaps[]",
        ]
        let paths = blocks + blocks.map { $0 + ".health" } + inBlocks
        #expect(objectsSeen == Set(["", ".source", ".state"] + paths.map { ".state." + $0 }))
    }

    @Test("the document of a single block has the block's keys and the market")
    func blocks() throws {
        var samples = DocumentGenerator(generator: SeededGenerator(seed: 19))
        for _ in 0..<50 {
            let book = samples.document(
                MarketBlockViewState(market: samples.text(), block: samples.orderBook())
            )
            let trades = samples.document(
                MarketBlockViewState(market: samples.text(), block: samples.trades())
            )
            let candles = samples.document(
                MarketBlockViewState(market: samples.text(), block: samples.chart())
            )
            try check(book, as: "orderBook")
            try check(trades, as: "trades")
            try check(candles, as: "chart")
        }
        #expect(OrderBookDocument.schemaName == "order-book")
        #expect(TradesDocument.schemaName == "trades")
        #expect(CandlesDocument.schemaName == "candles")
    }

    private func check<State>(_ document: Document<State>, as block: String) throws {
        let json = document.json
        #expect(try JSONDecoder().decode(Document<State>.self, from: Data(json)) == document)
        let keys = try OrderedJSON(json)["state"]?.keys
        #expect(try keys == ["market"] + #require(example["state"]?[block]?.keys))
    }

    @Test("a snapshot has the requested states under the names of their documents")
    func snapshot() throws {
        var samples = DocumentGenerator(generator: SeededGenerator(seed: 20))
        for _ in 0..<50 {
            let state = SnapshotViewState(
                marketList: samples.optional { $0.list() },
                marketDetail: samples.optional { $0.detail() },
                portfolio: samples.optional { $0.portfolio() }
            )
            let document = samples.document(state)
            let json = document.json
            #expect(
                try JSONDecoder().decode(SnapshotDocument.self, from: Data(json)) == document
            )
            let names =
                (state.marketList == nil ? [] : ["market-list"])
                + (state.marketDetail == nil ? [] : ["market-detail"])
                + (state.portfolio == nil ? [] : ["portfolio"])
            #expect(try OrderedJSON(json)["state"]?.keys == names)
        }
        #expect(SnapshotDocument.schemaName == "snapshot" && SnapshotDocument.schemaVersion == 2)
    }

    @Test("unknown values are encoded as null, not omitted")
    func unknown() throws {
        let query = MarketDetailQuery(market: "NEW_KRW")
        let snapshot = BoardSnapshot(
            board: MarketBoard(kind: .live),
            sequence: 1,
            capturedAt: .noon()
        )
        let detail = MarketDetailPresenter(names: .sample).detail(snapshot, query)
        var samples = DocumentGenerator(generator: SeededGenerator(seed: 21))
        let json = try OrderedJSON(samples.document(detail).json)
        var objectsSeen: Set<String> = []
        json.compareKeys(with: example, &objectsSeen)
        #expect(objectsSeen.contains(".state.header.today"))
        let state = try #require(json["state"])
        for key in ["price", "tradeStrengthPercent", "deposit", "withdrawal", "sparkline"] {
            #expect(state["header"]?[key] == .null, "\(key)")
        }
        for key in ["group", "spread", "spreadText", "mid"] {
            #expect(state["orderBook"]?[key] == .null, "\(key)")
        }
        #expect(state["orderBook"]?["best"]?["ask"] == .null)
        #expect(state["orderBook"]?["totals"]?["bidSharePercent"] == .null)
        #expect(state["chart"]?["range"] == .null && state["chart"]?["lastPrice"] == .null)
    }
}
