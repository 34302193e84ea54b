import Domain
import Testing

@testable import ExchangeSimulator

@Suite("A price grid has exactly the prices of the tick table")
struct PriceGridTests {
    @Test(
        "neighbors of a won price are right, also at band borders",
        arguments: [
            ("0.0001", "0.0001", "0.0002"), ("0.9999", "0.9998", "1"), ("1", "0.9999", "1.001"),
            ("10", "9.999", "10.01"), ("100", "99.99", "101"), ("999", "998", "1000"),
            ("1000", "999", "1001"), ("5000", "4999", "5005"), ("10000", "9995", "10010"),
            ("50000", "49990", "50050"), ("100000", "99950", "100100"),
            ("500000", "499900", "500500"), ("1000000", "999500", "1001000"),
            ("143210000", "143209000", "143211000"),
        ]
    )
    func neighbors(price: String, below: String, above: String) throws {
        let ladder = PriceGrid.krw
        let units = try Self.units(price)
        #expect(ladder.below(units) == (try Self.units(below)))
        #expect(ladder.above(units) == (try Self.units(above)))
        #expect(ladder.contains(units))
        #expect(ladder.price(atMost: units) == units)
        #expect(ladder.decimal(units) == (try FixedDecimal(parsing: price)))
    }

    @Test("climbing and descending visit each price once", arguments: [PriceGrid.krw, .btc])
    func roundTrip(ladder: PriceGrid) {
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let value = Int64(random.number(in: 1...(1 << random.number(in: 1...42))))
            let price = ladder.price(atMost: value)
            #expect(ladder.contains(price) && price > 0)
            #expect(ladder.below(ladder.above(price)) == price)
        }
    }

    private static func units(_ text: String) throws -> Int64 {
        Int64(try FixedDecimal(parsing: text).units / (FixedDecimal.unitsPerOne / 10_000))
    }
}
