import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("A candles decoder keeps the rows: open, close, high, low, volume")
struct CandlesDecoderTests {
    private static let row = #"[1790133600000,"1204","1210","1215","1199",".9159"]"#
    /// Four prices that differ: none can stand in another's place.
    private static let candle = CandleDTO(
        atMilliseconds: 1_790_133_600_000,
        open: WireDecimal(1_204),
        close: WireDecimal(1_210),
        high: WireDecimal(1_215),
        low: WireDecimal(1_199),
        volume: WireDecimal(9_159, 4)
    )

    private func decode(_ body: String) throws(DataSourceError) -> CandlesDTO {
        var decoder = CandlesDecoder()
        return try decoder.decode(Array(body.utf8))
    }

    @Test("each number is read from its own place: the close is before high and low")
    func places() throws {
        #expect(try decode(BithumbFixtures.candles([Self.row])) == CandlesDTO(rows: [Self.candle]))
    }

    @Test("the closes of a body are those of its rows, and unreadable rows are counted")
    func closes() throws {
        let rows = [Self.row, "[1]", #"[1790133660000,1204,"1209.5",1215,1199,1]"#, "7"]
        var decoder = CandlesDecoder()
        let closes = try decoder.closes(Array(BithumbFixtures.candles(rows).utf8))
        #expect(
            closes
                == ClosesDTO(
                    rows: [
                        CloseDTO(atMilliseconds: 1_790_133_600_000, close: WireDecimal(1_210)),
                        CloseDTO(atMilliseconds: 1_790_133_660_000, close: WireDecimal(12_095, 1)),
                    ],
                    skippedCount: 2
                )
        )
        #expect(throws: DataSourceError.self) {
            var decoder = CandlesDecoder()
            _ = try decoder.closes(Array(#"{"status":"0000","data":"#.utf8))
        }
    }

    @Test("times and numbers are text or bare; further elements are ignored")
    func spellings() throws {
        let rows = [
            #"["1790133600000",1204,1210.0,"1215",1199,0.9159]"#,
            #"[1790133600000,"1204","1210","1215","1199","9.159e-1","7",[8],null]"#,
        ]
        var bare = Self.candle
        bare.close = WireDecimal(12_100, 1)
        #expect(
            try decode(BithumbFixtures.candles(rows)) == CandlesDTO(rows: [bare, Self.candle])
        )
    }

    @Test("repeated rows, gaps and a last row off the grid are unchanged")
    func rows() throws {
        let times: [Int64] = [
            1_790_130_000_000, 1_790_133_600_000, 1_790_133_600_000, 1_790_133_600_000,
            1_790_155_200_000, 1_790_157_120_000,
        ]
        let rows = times.map { #"[\#($0),"1204","1210","1215","1199","1"]"# }
        let answer = try decode(BithumbFixtures.candles(rows))
        #expect(answer.rows.map(\.atMilliseconds) == times)
        #expect(answer.skippedCount == 0)
    }

    @Test("prices of every band are exact", arguments: Spelling.prices)
    func bands(spelling: Spelling) throws {
        let row = #"[1790133600000,\#(spelling.json),"2","3",\#(spelling.json),"5"]"#
        let candle = try #require(try decode(BithumbFixtures.candles([row])).rows.first)
        #expect(candle.open == spelling.number)
        #expect(candle.low == spelling.number)
        #expect(candle.close == WireDecimal(2) && candle.high == WireDecimal(3))
    }

    @Test(
        "an invalid row is skipped and counted",
        arguments: [
            "null", "7", "{}", "[]", "[1790133600000]",
            #"[1790133600000,"1204","1210","1215","1199"]"#,
            #"[1790133600000,"1204","1210","1215","1199",null]"#,
            #"[1790133600000,"1204","x","1215","1199","1"]"#,
            #"[1790133600000,["1204"],"1210","1215","1199","1"]"#,
            #"[null,"1204","1210","1215","1199","1"]"#,
            #"["2026-09-23","1204","1210","1215","1199","1"]"#,
            #"[0,"1204","1210","1215","1199","1"]"#,
            #"[-1,"1204","1210","1215","1199","1"]"#,
            #"[1790133600000.5,"1204","1210","1215","1199","1"]"#,
        ]
    )
    func badRows(row: String) throws {
        let answer = try decode(BithumbFixtures.candles([Self.row, row, Self.row]))
        #expect(answer == CandlesDTO(rows: [Self.candle, Self.candle], skippedCount: 1))
    }

    @Test("a body of over a megabyte is read to its last row")
    func largeBody() throws {
        let row = #"[1790133600000,"116501000","116502000","116503000","116499000","139.81632705"]"#
        let body = BithumbFixtures.candles(Array(repeating: row, count: 20_000))
        #expect(body.utf8.count > 1_500_000)
        #expect(try decode(body).rows.count == 20_000)
    }

    @Test("an empty list is valid; an object, too many rows or a truncated body is not")
    func limits() throws {
        #expect(try decode(BithumbFixtures.candles([])) == CandlesDTO(rows: []))
        let many = { (count: Int) in
            BithumbFixtures.candles(Array(repeating: #"[1,"1","1","1","1","1"]"#, count: count))
        }
        #expect(try decode(many(65_536)).rows.count == 65_536)
        let bodies = [
            many(65_537), BithumbFixtures.answer(data: "{}"), String(many(1).dropLast(2)),
        ]
        let details = bodies.map { body -> String? in
            #expect(throws: DataSourceError.self) { try decode(body) }?.detail
        }
        #expect(
            details == [
                "data has too many entries", "data is not a list",
                "the body is cut short, or not JSON",
            ]
        )
        let refusal = #"{"status":"5500","message":"입력값을 확인해 주세요."}"#
        let error = #expect(throws: DataSourceError.self) { try decode(refusal) }
        #expect(error?.code == .refused(status: "5500", message: "입력값을 확인해 주세요."))
    }
}
