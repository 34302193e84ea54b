import Foundation
import JSON
import TestSupport
import Testing

@testable import Domain
@testable import ViewStates

/// Documents are those of generation 001; patches are written as servers of 0.1.0 send them:
/// without `insert`, with averages beside the candles.
@Suite("Streams of servers before version 2 are read")
struct Version1StreamTests {
    private static func document<State: PatchableState>(
        _: State.Type
    ) throws -> Document<State> {
        let frozen = try #require(
            try FrozenDocuments.all().first {
                $0.generation == 1 && $0.schema == State.schemaName && $0.scene == "live"
            }
        )
        return try JSONDecoder().decode(Document<State>.self, from: Data(frozen.bytes))
    }

    private static func apply<State: PatchableState>(
        _ patches: [String],
        to document: inout Document<State>
    ) throws {
        let list = patches.joined(separator: ",")
        let text = #"{"asOf":"2026-11-20T21:03:11.000000+09:00","patches":[\#(list)]}"#
        try JSONDecoder().decode(DocumentPatch<State>.self, from: Data(text.utf8))
            .apply(to: &document, revision: "k3v9x2-9")
    }

    /// A trade, and the candle that it belongs to with its averages, at a path.
    private static func patches(
        _ path: String,
        _ detail: MarketDetailViewState
    ) throws -> [String] {
        let candle = try #require(detail.chart.candles.last)
        let openTime = TimeText.iso(candle.openTime)
        let count = detail.chart.candles.count
        let values = (0..<count).map { "\"\($0 + 1)\"" }.joined(separator: ",")
        return [
            #"""
            {"path":"\#(path)trades.rows","upsert":[{"id":"1795176190999999.0",\#
            "at":"2026-11-20T21:03:10.999999+09:00","timeText":"21:03:10","price":"143300000",\#
            "priceText":"143,300,000","quantity":"1","quantityText":"1.0000",\#
            "amount":"143300000","amountText":"143,300,000","side":"buy","tickDirection":"up"}],\#
            "remove":["1795176190000000.0"],"order":null}
            """#,
            #"""
            {"path":"\#(path)chart.candles","upsert":[{"openTime":"\#(openTime)",\#
            "open":"143000000","high":"143600000","low":"142900000","close":"143300000",\#
            "volume":"9","origin":"live","corrected":false,"closed":false,\#
            "priceDirection":"up"}],"remove":[],"order":null}
            """#,
            #"{"path":"\#(path)chart.averages.close.5","value":[\#(values)]}"#,
            #"{"path":"\#(path)chart.lastPrice","value":"143300000"}"#,
        ]
    }

    private static func check(
        _ new: MarketDetailViewState,
        after old: MarketDetailViewState
    ) throws {
        #expect(new.trades.rows.map(\.id).first == "1795176190999999.0")
        #expect(new.trades.rows.dropFirst() == old.trades.rows.dropLast())
        #expect(new.trades.hasMore == nil && new.chart.lastPrice == "143300000")
        let (candles, before) = (new.chart.candles, old.chart.candles)
        #expect(candles.last?.close == "143300000")
        #expect(candles.dropLast().map(\.close) == before.dropLast().map(\.close))
        #expect(
            candles.map { $0.averages?[.close, 5] }
                == (1...candles.count).map { FixedDecimal(Int64($0)) }
        )
        // A replaced candle keeps the averages that the patch does not name.
        for window in [10, 120] {
            #expect(
                candles.map { $0.averages?[.close, window] }
                    == before.map { $0.averages?[.close, window] }
            )
        }
        #expect(candles.map { $0.averages?[.volume, 5] } == before.map { $0.averages?[.volume, 5] })
    }

    @Test("a market's detail of version 1 follows patches of version 1")
    func detail() throws {
        let old = try Self.document(MarketDetailViewState.self)
        var new = old
        try Self.apply(try Self.patches("", old.state), to: &new)
        try Self.check(new.state, after: old.state)
        #expect(new.version == MarketDetailViewState.schemaVersion && new.revision == "k3v9x2-9")
    }

    @Test("a snapshot of version 1 follows patches of version 1")
    func snapshot() throws {
        let old = try Self.document(SnapshotViewState.self)
        var new = old
        let detail = try #require(old.state.marketDetail)
        try Self.apply(try Self.patches("market-detail.", detail), to: &new)
        try Self.check(try #require(new.state.marketDetail), after: detail)
        #expect(new.state.marketList == old.state.marketList)
    }

    @Test("a list of version 1 puts a new market last")
    func list() throws {
        let old = try Self.document(MarketListViewState.self)
        let row = try #require(old.state.rows.first)
        var copy = row
        copy.market = "LAST_KRW"
        var writer = JSONWriter(capacity: 1_024)
        copy.write(to: &writer)
        let json = String(decoding: writer.bytes, as: UTF8.self)
        var new = old
        try Self.apply(
            [#"{"path":"rows","upsert":[\#(json)],"remove":["\#(row.market)"],"order":null}"#],
            to: &new
        )
        let others = old.state.rows.dropFirst().map(\.market)
        #expect(new.state.rows.map(\.market) == others + ["LAST_KRW"])
    }
}
