import Domain
import Foundation
import ViewStates
import TestSupport
import Testing

@Suite("A candle export has all known candles of a span and lists the gaps")
struct CandleExportTests {
    private static let market = MinuteSamples.market

    private static func minute(_ number: Int) -> Timestamp { MinuteSamples.minute(number) }

    /// Minutes 0, 1, 2, 5, 6 and 7 with one price each.
    private static func snapshot() -> BoardSnapshot {
        var sample = MinuteSamples.board([0, 1, 2, 5, 6, 7])
        return sample.snapshot()
    }

    private static func export(from: Int? = nil, to: Int? = nil) throws -> CandleExportViewState {
        let snapshot = snapshot()
        let series = try #require(snapshot.board.details[market]?.candles[.minute1])
        return MarketDetailPresenter(names: .sample).candleExport(
            series,
            snapshot,
            of: market,
            from: from.map(minute),
            to: to.map(minute)
        )
    }

    @Test(
        "the bounds select candles that open from the first to before the second",
        arguments: [
            (nil, nil, [0, 1, 2, 5, 6, 7]), (1, nil, [1, 2, 5, 6, 7]), (nil, 5, [0, 1, 2]),
            (2, 6, [2, 5]), (3, 5, []), (99, nil, []), (nil, -5, []), (50, 20, []),
        ] as [(Int?, Int?, [Int])]
    )
    func bounds(from: Int?, to: Int?, minutes: [Int]) throws {
        let state = try Self.export(from: from, to: to)
        #expect(state.candles.map(\.openTime) == minutes.map(Self.minute))
        #expect(state.from == from.map(Self.minute) && state.to == to.map(Self.minute))
        #expect(!state.candles.contains { !$0.closed })
    }

    @Test("time without a candle is a gap within the span, also up to now")
    func gaps() throws {
        let inside = GapViewState(from: Self.minute(3), to: Self.minute(5), reason: .noTrade)
        let last = GapViewState(from: Self.minute(8), to: Self.minute(63), reason: .noTrade)
        #expect(try Self.export().gaps == [inside, last])
        #expect(try Self.export(to: 6).gaps == [inside])
        #expect(try Self.export(from: 5).gaps == [last])
    }

    @Test("CSV has a header and exact figures; JSON round-trips")
    func forms() throws {
        let state = try Self.export(from: 1, to: 3)
        let lines = String(decoding: state.csv, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(
            lines[0]
                == "market,interval,openTime,open,high,low,close,volume,origin,corrected,closed"
        )
        let at = TimeText.iso(Self.minute(1))
        #expect(lines[1] == "XRP_KRW,1m,\(at),701,701,701,701,1,rest,false,true")
        #expect(lines.count == 4 && lines[3].isEmpty)
        let document = Document(
            revision: "a-1",
            asOf: Self.minute(63),
            source: SourceViewState(.simulated, .v1),
            state: state
        )
        let read = try JSONDecoder().decode(
            CandleExportDocument.self,
            from: Data(document.json)
        )
        #expect(read == document)
        #expect(read.schema == "candles-export" && read.version == 1)
        #expect(document.json.count < document.state.estimatedJSONSize + 512)
    }
}
