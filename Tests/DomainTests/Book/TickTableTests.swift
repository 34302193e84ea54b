import Domain
import TestSupport
import Testing

@Suite("Tick table")
struct TickTableTests {
    @Test(
        "the step differs on both sides of each band border",
        arguments: [
            ("0", "0.0001"), ("0.9999", "0.0001"), ("1", "0.001"), ("9.999", "0.001"),
            ("10", "0.01"), ("99.99", "0.01"), ("100", "1"), ("999", "1"), ("1000", "1"),
            ("4999", "1"), ("5000", "5"), ("9995", "5"), ("10000", "10"), ("49990", "10"),
            ("50000", "50"), ("99950", "50"), ("100000", "100"), ("499900", "100"),
            ("500000", "500"), ("999500", "500"), ("1000000", "1000"), ("143210000", "1000"),
            ("-5", "0.0001"),
        ] as [(FixedDecimal, FixedDecimal)]
    )
    func won(price: FixedDecimal, step: FixedDecimal) {
        #expect(TickTable.step(for: price, quote: .krw) == step)
    }

    @Test(
        "bitcoin markets have a single step",
        arguments: ["0", "0.00000001", "1", "-1"] as [FixedDecimal]
    )
    func bitcoin(price: FixedDecimal) {
        #expect(TickTable.step(for: price, quote: .btc) == "0.00000001")
    }

    @Test(
        "bands are ascending and begin on their own grid",
        arguments: [TickTable.krw, TickTable.btc]
    )
    func bands(bands: [TickTable.Band]) throws {
        #expect(bands.first?.from == .zero)
        for (band, next) in zip(bands, bands.dropFirst()) {
            #expect(band.from < next.from)
            #expect(band.step < next.step)
        }
        for band in bands {
            #expect(band.from.units % band.step.units == 0)
        }
    }
}
