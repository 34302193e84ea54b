import Foundation
import JSON
import TestSupport
import Testing

@testable import Domain
@testable import ViewStates

@Suite("A patch that does not match its document is an error and leaves the document unchanged")
struct DocumentPatchTests {
    private static func rows(_ upsert: String, _ remove: String, _ order: String) -> String {
        #"{"path":"rows","upsert":\#(upsert),"remove":\#(remove),"order":\#(order)}"#
    }

    @Test(
        "a patch with an unknown path or wrong type cannot be decoded",
        arguments: [
            #"{"path":"row","value":[]}"#, #"{"path":"","value":[]}"#, #"{"path":"total"}"#,
            #"{"path":"total","value":"1"}"#, #"{"path":"rows","value":[]}"#,
            #"{"path":"rows","upsert":[],"remove":[]}"#,
            #"{"path":"health.phase","value":"ready"}"#,
            #"{"value":1}"#, #"{"path":"rows","upsert":[{}],"remove":[],"order":null}"#,
        ]
    )
    func unreadable(patch: String) {
        #expect(throws: DecodingError.self) { try Self.read(patch) }
    }

    @Test(
        "a patch with unknown, repeated or missing rows is a mismatch",
        arguments: [
            rows("[]", #"["NONE_KRW"]"#, "null"), rows("[]", "[]", #"["BTC_KRW"]"#),
            rows("[]", "[]", "[]"),
            rows("[]", "[]", #"["BTC_KRW","ETH_KRW","XRP_KRW","XRP_KRW"]"#),
            rows("[]", "[]", #"["BTC_KRW","ETH_KRW","XRP_KRW","NEW_KRW","NONE_KRW"]"#),
            rows("[]", #"["BTC_KRW","BTC_KRW"]"#, "null"),
        ]
    )
    func mismatch(patch: String) throws {
        var document = Self.document
        let total = #"{"path":"total","value":77}"#
        let patch = try Self.read("\(total),\(patch)")
        #expect(throws: DocumentPatchMismatch(path: "rows")) {
            try patch.apply(to: &document, revision: "epoch-2")
        }
        #expect(document == Self.document)
    }

    @Test("values, nulls, removals and an order change their own paths only")
    func applied() throws {
        var document = Self.document
        let patch = try Self.read(
            #"{"path":"total","value":77},{"path":"emptyReason","value":null},"#
                + Self.rows("[]", #"["XRP_KRW"]"#, #"["NEW_KRW","ETH_KRW","BTC_KRW"]"#)
        )
        try patch.apply(to: &document, revision: "epoch-2")
        var expected = Self.document
        expected.state.total = 77
        expected.state.rows = [3, 1, 0].map { Self.document.state.rows[$0] }
        expected.revision = "epoch-2"
        expected.asOf = SampleBoard.start.advanced(by: .seconds(1))
        #expect(document == expected)
    }

    @Test(
        "new rows are put at the end that the patch names, or at the list's own",
        arguments: [
            (#""insert":"first","#, ["XRP_KRW", "BTC_KRW", "ETH_KRW", "NEW_KRW"]),
            (#""insert":"last","#, ["BTC_KRW", "ETH_KRW", "NEW_KRW", "XRP_KRW"]),
            ("", ["BTC_KRW", "ETH_KRW", "NEW_KRW", "XRP_KRW"]),
        ]
    )
    func insert(insert: String, markets: [String]) throws {
        var document = Self.document
        let xrp = try #require(document.state.rows.first { $0.market == "XRP_KRW" })
        var json = JSONWriter()
        xrp.write(to: &json)
        let gone = try Self.read(Self.rows("[]", #"["XRP_KRW"]"#, "null"))
        try gone.apply(to: &document, revision: "epoch-2")
        let row = String(decoding: json.bytes, as: UTF8.self)
        let back = #"{"path":"rows","upsert":[\#(row)],"remove":[],\#(insert)"order":null}"#
        try Self.read(back).apply(to: &document, revision: "epoch-3")
        #expect(document.state.rows.map(\.market) == markets)
    }

    @Test("a patch that names no end of a list is refused")
    func insertUnknown() {
        let patch = #"{"path":"rows","upsert":[],"remove":[],"insert":"middle","order":null}"#
        #expect(throws: DecodingError.self) { try Self.read(patch) }
    }

    @Test("a snapshot accepts patches of its own documents only")
    func snapshot() throws {
        let query = SnapshotQuery(marketList: MarketListQuery(), marketDetail: nil)
        var document = DetailFeedHarness().documents.snapshot.document(query)
        func patch(_ path: String) throws -> DocumentPatch<SnapshotViewState> {
            let text = #"{"asOf":"\#(Self.asOf)","patches":[{"path":"\#(path)","value":7}]}"#
            return try JSONDecoder().decode(
                DocumentPatch<SnapshotViewState>.self,
                from: Data(text.utf8)
            )
        }
        try patch("market-list.total").apply(to: &document, revision: "epoch-2")
        #expect(document.state.marketList?.total == 7)
        let absent = "market-detail.trades.dropped"
        #expect(throws: DocumentPatchMismatch(path: absent)) {
            try patch(absent).apply(to: &document, revision: "epoch-3")
        }
        #expect(throws: DecodingError.self) { try patch("total") }
    }

    @Test("every path of a document's parts can be decoded")
    func paths() {
        let bench = DetailFeedHarness()
        for query in DetailFeedHarness.queries {
            let paths = Set(bench.documents.follow(query).version().state.parts.map(\.path.text))
            switch query {
            case .marketList: #expect(paths == Set(PatchPaths<MarketListViewState>().readers.keys))
            case .assets: #expect(paths == Set(PatchPaths<AssetsViewState>().readers.keys))
            case .marketDetail:
                // Version 1 had averages beside the candles.
                let known = Set(PatchPaths<MarketDetailViewState>().readers.keys)
                let former = known.filter { $0.hasPrefix("chart.averages.") }
                #expect(paths == known.subtracting(former + ["trades.hasMore"]))
            case .trades:
                let known = PatchPaths<MarketBlockViewState<TradesViewState>>().readers.keys
                #expect(paths == Set(known))
            case .orderBook, .candles, .snapshot: #expect(!paths.isEmpty)
            }
        }
    }

    private static let document = DetailFeedHarness().documents.marketList.document(
        MarketListQuery()
    )
    private static let asOf = "2026-11-20T21:03:11.000000+09:00"

    private static func read(_ patches: String) throws -> DocumentPatch<MarketListViewState> {
        try JSONDecoder().decode(
            DocumentPatch<MarketListViewState>.self,
            from: Data(#"{"asOf":"\#(asOf)","patches":[\#(patches)]}"#.utf8)
        )
    }
}
