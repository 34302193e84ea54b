import Domain
import Testing

@testable import ExchangeSimulator

@Suite("Texts of API 2.x: numbers, times, grids")
struct MarketTextTests {
    @Test(
        "numbers below 0.000001 have an exponent, others none",
        arguments: [
            (14, 8, "1.4E-7"), (-14, 8, "-1.4E-7"), (1, 8, "1E-8"), (100, 8, "0.000001"),
            (99, 8, "9.9E-7"), (0, 8, "0"), (12_100_000, 4, "1210"), (-5, 1, "-0.5"),
            (10_203, 12, "1.0203E-8"), (176_373_410_121_466_379, 17, "1.76373410121466379"),
        ] as [(Int128, Int, String)]
    )
    func numbers(value: Int128, digits: Int, expected: String) {
        var text = WireText()
        text.append(number: value, digits: digits)
        #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
    }

    @Test("times of parameters are those of Seoul")
    func times() {
        let time = SeoulTime.timestamp(year: 2026, month: 9, day: 23, hour: 21, minute: 18)
        #expect(KoreanTimeText.timestamp("2026-09-23 21:18:00") == time)
        #expect(KoreanTimeText.timestamp("2026-09-23T21:18:00") == time)
        #expect(KoreanTimeText.timeOfDay("235959") == .seconds(86_399))
        #expect(KoreanTimeText.timeOfDay("00:00:01") == .seconds(1))
        for bad in ["", "2026-09-23", "2026-9-23 21:18:00", "2026-13-01 00:00:00", "x"] {
            #expect(KoreanTimeText.timestamp(bad) == nil)
        }
        for bad in ["", "24:00:00", "006000", "00006x", "-1:00:00", "0:0:0"] {
            #expect(KoreanTimeText.timeOfDay(bad) == nil)
        }
    }

    @Test(
        "buckets begin on the grid of the exchange",
        arguments: [
            (MarketCandleUnit.minutes(15), 19, 12, 1), (.minutes(240), 19, 11, 0),
            (.days, 18, 15, 0), (.weeks, 15, 15, 0),
        ] as [(MarketCandleUnit, Int, Int, Int)]
    )
    func grid(unit: MarketCandleUnit, day: Int, hour: Int, quarter: Int) {
        // 2026-11-19, a Thursday, 12:18 UTC; the expected start is in UTC too.
        func minute(_ day: Int, _ hour: Int, _ minute: Int) -> Int {
            let utc = SeoulTime.timestamp(year: 2026, month: 11, day: day, hour: hour)
            return SeoulMinute.number(of: utc.advanced(by: SeoulTime.offset)) + minute
        }
        #expect(unit.start(of: minute(19, 12, 18)) == minute(day, hour, quarter * 15))
        let start = unit.start(of: minute(19, 12, 18))
        #expect(unit.start(of: start) == start && unit.start(of: start - 1) < start)
    }

    @Test("the shorter side of a book is padded with zeros")
    func padding() {
        let levels = (1...3).map { SimulatedLevel(price: Int64($0), quantity: 5, orders: 1) }
        let units = OrderBookUnits(asks: [], bids: levels, count: 2)
        #expect(units.count == 2 && units.askSize == 0 && units.bidSize == 15)
        #expect(units[1].ask.price == 0 && units[1].ask.quantity == 0)
        #expect(units[1].bid == levels[1])
    }

    @Test("frames of API 2.x are binary, those of API 1.x are texts")
    func opcodes() {
        // The final bit and the opcode of RFC 6455, section 5.2.
        for (isBinary, first) in [(true, UInt8(0x82)), (false, 0x81)] {
            var batch = FrameBatch(isBinary: isBinary)
            batch.begin(with: FaultSet())
            batch.append(Array("{}".utf8), market: 0, kind: .marketBook, view: BookView())
            batch.finish()
            #expect(batch.bytes.first == first)
        }
    }
}
