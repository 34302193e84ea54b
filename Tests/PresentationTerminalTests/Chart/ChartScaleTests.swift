import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Prices scale to rows in integers, with round axis steps")
struct ChartScaleTests {
    @Test("Bounds map to the first and last step, the middle between them")
    func positions() {
        let scale = ValueScale(bottom: FixedDecimal(100), top: FixedDecimal(200))
        #expect(scale.position(of: FixedDecimal(200), steps: 10) == 0)
        #expect(scale.position(of: FixedDecimal(191), steps: 10) == 0)
        #expect(scale.position(of: FixedDecimal(150), steps: 10) == 5)
        #expect(scale.position(of: FixedDecimal(100), steps: 10) == 9)
        #expect(scale.place(of: FixedDecimal(201), steps: 10) == -1)
        #expect(scale.place(of: FixedDecimal(99), steps: 10) == 10)
        #expect(scale.height(of: FixedDecimal(100), steps: 8) == 0)
        #expect(scale.height(of: FixedDecimal(101), steps: 8) == 1)
        #expect(scale.height(of: FixedDecimal(200), steps: 8) == 8)
    }

    @Test(
        "Equal prices map to the middle",
        arguments: ["0", "0.000000000000000001", "0.9159", "143210000", "170141183460469231731"]
    )
    func equal(text: String) {
        let price = ChartSamples.decimal(text)
        let scale = ValueScale(around: price...price)
        #expect(scale.top > scale.bottom)
        #expect(scale.contains(price))
        // Zero has nothing below it, and the largest number nothing above.
        let places = price.isZero ? 8...8 : (scale.top == .max ? 0...4 : 3...5)
        #expect(places.contains(scale.position(of: price, steps: 9)))
    }

    @Test(
        "A step is 1, 2 or 5 times a power of ten",
        arguments: [
            (1, 1), (2, 2), (3, 5), (6, 10), (11, 20), (20, 20), (21, 50), (51, 100),
            (143_210_000, 200_000_000),
        ] as [(Int128, Int128)]
    )
    func steps(wanted: Int128, step: Int128) {
        #expect(PriceAxis.niceStep(atLeast: wanted) == step)
    }

    @Test("A step never overflows")
    func largestStep() {
        #expect(PriceAxis.niceStep(atLeast: .max) == .max)
    }

    @Test(
        "Labels use the decimals of their price band",
        arguments: [
            ("142000000", "144000000", Quote.krw, "143,000,000"), ("3400", "3500", .krw, "3,460"),
            ("311", "314", .krw, "312.0"), ("7.5", "7.6", .krw, "7.560"),
            ("0.9", "0.92", .krw, "0.9100"), ("0.00000100", "0.00000108", .btc, "0.00000104"),
        ]
    )
    func decimals(low: String, high: String, quote: Quote, label: String) {
        let scale = ValueScale(around: ChartSamples.decimal(low)...ChartSamples.decimal(high))
        let axis = PriceAxis(scale: scale, quote: quote, base: nil, rows: 12)
        #expect(axis.labels.map(\.text).contains(label), "\(axis.labels.map(\.text))")
    }

    @Test("Steps are not finer than the displayed precision")
    func finest() {
        let scale = ValueScale(around: FixedDecimal(1_000)...FixedDecimal(1_002))
        let axis = PriceAxis(scale: scale, quote: .krw, base: nil, rows: 40)
        #expect(axis.labels.map(\.text) == ["1,002", "1,001", "1,000"])
    }

    @Test("Labels are in different rows, descending", arguments: 1...60)
    func rows(rows: Int) {
        let scale = ValueScale(around: FixedDecimal(3_210)...FixedDecimal(3_987))
        for base in [nil, FixedDecimal(3_500)] {
            let axis = PriceAxis(scale: scale, quote: .krw, base: base, rows: rows)
            let places = axis.labels.map(\.row)
            #expect(places == Set(places).sorted())
            #expect(places.allSatisfy { (0..<rows).contains($0) })
            if rows >= 8 { #expect(places.count >= 2) }
        }
    }

    @Test("Percent refers to the base, whose row is 0 %")
    func percent() throws {
        let scale = ValueScale(around: FixedDecimal(900)...FixedDecimal(1_100))
        let base = FixedDecimal(1_000)
        let axis = PriceAxis(scale: scale, quote: .krw, base: base, rows: 20)
        let zero = try #require(axis.labels.first { $0.text == "0.00%" })
        #expect(zero.row == scale.position(of: base, steps: 20))
        #expect(axis.text(of: FixedDecimal(1_055)) == "+5.50%")
        #expect(axis.text(of: FixedDecimal(990)) == "-1.00%")
    }

    @Test("A zero base falls back to prices")
    func noBase() {
        let scale = ValueScale(around: FixedDecimal(0)...FixedDecimal(1_100))
        let axis = PriceAxis(scale: scale, quote: .krw, base: .zero, rows: 20)
        #expect(axis.base == nil)
        #expect(axis.text(of: FixedDecimal(1_055)) == "1,055")
    }
}
