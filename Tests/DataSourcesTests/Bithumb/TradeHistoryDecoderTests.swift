import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("A trade history decoder keeps the order and counts invalid trades")
struct TradeHistoryDecoderTests {
    private static let trade = HistoricTradeDTO(
        atMilliseconds: 1_790_165_913_000,
        takerBought: true,
        quantity: WireDecimal(355, 1),
        price: WireDecimal(1_211)
    )

    private func decode(_ body: String) throws(DataSourceError) -> TradeHistoryDTO {
        var decoder = TradeHistoryDecoder()
        return try decoder.decode(Array(body.utf8))
    }

    @Test("each field is read from its own place; a bid is a taker who bought")
    func fields() throws {
        let body = BithumbFixtures.history([
            BithumbFixtures.historic(),
            BithumbFixtures.historic(["type": #""ask""#, "price": "1212"]),
        ])
        var sold = Self.trade
        sold.takerBought = false
        sold.price = WireDecimal(1_212)
        #expect(try decode(body) == TradeHistoryDTO(trades: [Self.trade, sold]))
    }

    @Test("any order of the response is kept, and equal trades stay separate")
    func order() throws {
        let times = ["33", "34", "34", "12", "59"]
        let trades = times.map {
            BithumbFixtures.historic(["transaction_date": #""2026-09-23 21:18:\#($0)""#])
        }
        let seconds = try decode(BithumbFixtures.history(trades)).trades.map(\.atMilliseconds)
        #expect(seconds == times.map { (1_790_165_880 + (Int64($0) ?? 0)) * 1_000 })
    }

    @Test(
        "times are whole seconds in Seoul; an hour may lack its leading zero",
        arguments: [
            ("2018-04-10 9:05:01", 1_523_318_701), ("2018-04-10 09:05:01", 1_523_318_701),
            ("2024-02-29 00:00:00", 1_709_132_400), ("1970-01-01 09:00:00", 0),
            ("1970-01-01 08:59:59", -1), ("2026-09-23 21:18:33.240601", 1_790_165_913),
        ]
    )
    func times(text: String, seconds: Int64) throws {
        let trade = BithumbFixtures.historic(["transaction_date": #""\#(text)""#])
        let times = try decode(BithumbFixtures.history([trade])).trades.map(\.atMilliseconds)
        #expect(times == [seconds * 1_000])
    }

    @Test("numbers of every band are exact, text or bare", arguments: Spelling.prices)
    func bands(spelling: Spelling) throws {
        let trade = BithumbFixtures.historic([
            "price": spelling.json, "units_traded": spelling.json,
        ])
        let trades = try decode(BithumbFixtures.history([trade])).trades
        #expect(trades.map(\.price) == [spelling.number])
        #expect(trades.map(\.quantity) == [spelling.number])
    }

    @Test("an invalid trade is skipped and counted; only the total may be absent")
    func badTrades() throws {
        let bad = [
            "null", "7", "[]", "{}", BithumbFixtures.historic(["type": #""buy""#]),
            BithumbFixtures.historic(["type": nil]), BithumbFixtures.historic(["price": #""x""#]),
            BithumbFixtures.historic(["units_traded": nil]),
            BithumbFixtures.historic(["units_traded": "[]"]),
            BithumbFixtures.historic(["transaction_date": nil]),
            BithumbFixtures.historic(["transaction_date": #""2026-02-29 00:00:00""#]),
            BithumbFixtures.historic(["transaction_date": "1790165913"]),
        ]
        for entry in bad {
            let history = try decode(BithumbFixtures.history([BithumbFixtures.historic(), entry]))
            #expect(history == TradeHistoryDTO(trades: [Self.trade], skippedCount: 1))
        }
        let all = try decode(BithumbFixtures.history(bad))
        #expect(all == TradeHistoryDTO(trades: [], skippedCount: bad.count))
        let plain = BithumbFixtures.history([BithumbFixtures.historic(["total": nil])])
        #expect(try decode(plain) == TradeHistoryDTO(trades: [Self.trade]))
    }

    @Test("an empty list is valid; an object, too many trades or a truncated body is not")
    func limits() throws {
        #expect(try decode(BithumbFixtures.history([])) == TradeHistoryDTO(trades: []))
        let many = { (count: Int) in
            BithumbFixtures.history(Array(repeating: BithumbFixtures.historic(), count: count))
        }
        #expect(try decode(many(4_096)).trades.count == 4_096)
        let bodies = [many(4_097), BithumbFixtures.answer(data: "{}"), String(many(1).dropLast(2))]
        let details = bodies.map { body -> String? in
            #expect(throws: DataSourceError.self) { try decode(body) }?.detail
        }
        #expect(
            details == [
                "data has too many entries", "data is not a list", "the body is not JSON",
            ]
        )
    }
}
