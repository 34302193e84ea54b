import Foundation
import TestSupport
import Testing

@testable import Domain
@testable import ViewStates

@Suite("Charts of version 1, whose averages are beside the candles, are read")
struct Version1ChartTests {
    private static let times = [0, 60, 120].map { SampleBoard.start.advanced(by: .seconds($0)) }

    private static func row(_ place: Int, close: String) -> String {
        #"""
        {"openTime":"\#(TimeText.iso(times[place]))","open":"1","high":"9","low":"1",\#
        "close":"\#(close)","volume":"2","origin":"rest","corrected":false,"closed":true,\#
        "priceDirection":"up"}
        """#
    }

    private static let health = #"""
        {"phase":"ready","at":null,"staleAfter":null,"origin":"rest","complete":true,"error":null}
        """#

    private static let json = #"""
        {"schema":"candles","version":1,"revision":"e-1","asOf":"\#(TimeText.iso(times[0]))",
        "source":{"exchange":"bithumb","feed":"live","api":"1"},"state":{"market":"XRP_KRW",
        "health":\#(health),"interval":"1m","lastPrice":"3",
        "candles":[\#(row(0, close: "3")),\#(row(1, close: "4"))],
        "averages":{"close":{"5":["3",null],"10":[null,"7"]},"volume":{"5":["1","2"]}},
        "range":null,"gaps":[]}}
        """#

    private static func document() throws -> CandlesDocument {
        try JSONDecoder().decode(CandlesDocument.self, from: Data(json.utf8))
    }

    private static func apply(_ patches: String, to document: inout CandlesDocument) throws {
        let text = #"{"asOf":"\#(TimeText.iso(times[0]))","patches":[\#(patches)]}"#
        try JSONDecoder().decode(
            DocumentPatch<MarketBlockViewState<ChartViewState>>.self,
            from: Data(text.utf8)
        ).apply(to: &document, revision: "e-2")
    }

    @Test("each candle gets its averages; the document becomes one of today's version")
    func document() throws {
        let document = try Self.document()
        let candles = document.state.block.candles
        #expect(document.version == ChartViewState.schemaVersion && document.version == 2)
        #expect(candles.map { $0.averages?[.close, 5] } == ["3", nil])
        #expect(candles.map { $0.averages?[.close, 10] } == [nil, "7"])
        #expect(candles.map { $0.averages?[.volume, 5] } == ["1", "2"])
        #expect(candles.map { $0.averages?.windows } == [[5, 10], [5, 10]])
        let again = try JSONDecoder().decode(CandlesDocument.self, from: Data(document.json))
        #expect(again == document)
    }

    @Test("a replaced candle keeps its averages until the patch's own follow")
    func replaced() throws {
        var document = try Self.document()
        let row = Self.row(1, close: "5")
        try Self.apply(
            #"{"path":"candles","upsert":[\#(row)],"remove":[],"order":null}"#,
            to: &document
        )
        #expect(document.state.block.candles[1].close == "5")
        #expect(document.state.block.candles[1].averages?[.close, 10] == "7")
        try Self.apply(#"{"path":"averages.close.10","value":[null,"8"]}"#, to: &document)
        #expect(document.state.block.candles.map { $0.averages?[.close, 10] } == [nil, "8"])
        #expect(document.state.block.candles.map { $0.averages?[.volume, 5] } == ["1", "2"])
    }

    @Test("an appended candle gets its averages from the patch")
    func appended() throws {
        var document = try Self.document()
        let row = Self.row(2, close: "6")
        let rows = #"{"path":"candles","upsert":[\#(row)],"remove":[],"order":null}"#
        let average = #"{"path":"averages.volume.5","value":["1","2","3"]}"#
        try Self.apply(rows + "," + average, to: &document)
        #expect(document.state.block.candles.map { $0.averages?[.volume, 5] } == ["1", "2", "3"])
    }

    @Test("a later version is refused")
    func later() {
        let text = Self.json.replacingOccurrences(of: #""version":1"#, with: #""version":3"#)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CandlesDocument.self, from: Data(text.utf8))
        }
    }
}
