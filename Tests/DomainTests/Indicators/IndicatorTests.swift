import TestSupport
import Testing

@testable import Domain

@Suite("Indicators")
struct IndicatorTests {
    // MARK: - Exponential average

    @Test(
        "an exponential average begins with the mean and moves by 2 ÷ (window + 1)",
        arguments: [
            (1, ["5", "7", "-2"], ["5", "7", "-2"]),
            (3, ["1", "2", "3", "4", "5"], [nil, nil, "2", "3", "4"]),
            (2, ["1", "2", "4"], [nil, "1.5", "3.166666666666666667"]),
            (3, ["0.1", "0.2", "0.2"], [nil, nil, "0.166666666666666667"]),
        ] as [(Int, [FixedDecimal], [FixedDecimal?])]
    )
    func exponential(window: Int, values: [FixedDecimal], averages: [FixedDecimal?]) {
        var average = ExponentialAverage(window: window)
        #expect(values.map { average.add($0) } == averages)
        #expect(average.value == averages.last)
    }

    @Test("an exponential average stays within its values", arguments: 0..<10)
    func exponentialBounds(seed: UInt64) throws {
        let prices = Self.prices(seed, count: 500)
        var average = ExponentialAverage(window: 1 + Int(seed) * 7)
        for (index, price) in prices.enumerated() {
            guard let value = average.add(price) else { continue }
            let seen = prices[...index]
            let (least, most) = (try #require(seen.min()), try #require(seen.max()))
            #expect(least <= value && value <= most)
        }
    }

    // MARK: - Relative strength

    /// Worked by hand with fractions; the prices are those of ChartSchool's example, in cents.
    @Test("the index begins with means and continues with Wilder's smoothing")
    func strength() {
        let prices: [FixedDecimal] = [
            "44.34", "44.09", "44.15", "43.61", "44.33", "44.83", "45.10", "45.42", "45.84",
            "46.08", "45.89", "46.03", "45.61", "46.28", "46.28", "46.00",
        ]
        var index = RelativeStrengthIndex()
        let values = prices.map { index.add($0) }
        #expect(values[..<14].allSatisfy { $0 == nil })
        #expect(values[14] == "70.464135021097046414")
        #expect(values[15] == "66.249618553555080867")
    }

    @Test(
        "the index of prices that only rise is 100, that only fall 0, that stand still unknown",
        arguments: [(1, "100"), (-1, "0"), (0, nil)] as [(Int64, FixedDecimal?)]
    )
    func strengthLimits(step: Int64, value: FixedDecimal?) {
        var index = RelativeStrengthIndex()
        for number in 0..<100 {
            let current = index.add(FixedDecimal(1_000 + step * Int64(number)))
            #expect(current == (number < 14 ? nil : value))
        }
    }

    @Test("the index is the same at any scale of the prices", arguments: 0..<10)
    func strengthScale(seed: UInt64) throws {
        let prices = Self.prices(seed, count: 300)
        var (index, scaled) = (RelativeStrengthIndex(), RelativeStrengthIndex())
        for price in prices {
            let value = index.add(price)
            let other = scaled.add(FixedDecimal(units: price.units / 1_000_000))
            try Self.expectEqual(value, other, within: 1_000)
            if let value { #expect(FixedDecimal.zero <= value && value <= FixedDecimal(100)) }
        }
    }

    @Test("prices that stand still for long change neither the index nor what follows")
    func strengthOfSilence() throws {
        let prices = Self.prices(7, count: 200)
        var index = RelativeStrengthIndex()
        for price in prices { index.add(price) }
        let before = index.value
        let last = try #require(prices.last)
        for _ in 0..<20_000 { index.add(last) }
        try Self.expectEqual(index.value, before, within: 1_000)
        // All that was before has decayed, so the index follows the next change alone.
        index.add(FixedDecimal(units: last.units + 1))
        #expect(index.value == "100")
        index.add(last)
        // Rises are 13 ÷ 14 of a unit, falls one: 100 × 13 ÷ 27.
        try Self.expectEqual(index.value, "48.148148148148148148", within: 1_000)
    }

    // MARK: - MACD

    @Test("the line begins with the slow average, the signal with its mean of the line")
    func macd() throws {
        var indicator = MACD(fast: 1, slow: 2, signal: 2)
        let values = ["1", "2", "4", "4"].map { (price: FixedDecimal) in indicator.add(price) }
        #expect(values[0] == nil)
        #expect(values[1]?.line == "0.5" && values[1]?.signal == nil)
        #expect(values[1]?.histogram == nil)
        // The slow average is 3.1666…, the signal the mean of 0.5 and 0.8333….
        #expect(values[2]?.line == "0.833333333333333333")
        #expect(values[2]?.signal == "0.666666666666666666")
        #expect(values[2]?.histogram == "0.166666666666666667")
        let last = try #require(values[3])
        try Self.expectEqual(last.line, "0.277777777777777778", within: 2)
    }

    @Test("with its usual windows the line begins at price 26, the signal at 34", arguments: 0..<3)
    func macdStart(seed: UInt64) {
        var (indicator, shifted) = (MACD(), MACD())
        for (number, price) in Self.prices(seed, count: 100).enumerated() {
            let value = indicator.add(price)
            #expect((value == nil) == (number < 25))
            #expect((value?.signal == nil) == (number < 33))
            // A multiple of all windows' divisors moves every average exactly.
            let distance = FixedDecimal(1_000).units
            let other = shifted.add(FixedDecimal(units: price.units + distance))
            #expect(value == other)
        }
    }

    // MARK: - Bollinger bands

    @Test("the bands lie whole deviations of the population beside the mean")
    func bands() throws {
        let series = Self.series(["2", "4", "4", "4", "5", "5", "7", "9"])
        #expect(series.bollingerBands(window: 8, at: 6) == nil)
        #expect(series.bollingerBands(window: 8, at: 8) == nil)
        let bands = try #require(series.bollingerBands(window: 8, at: 7))
        #expect(bands.middle == "5" && bands.upper == "9" && bands.lower == "1")
        let wide = try #require(series.bollingerBands(window: 2, deviations: 3, at: 7))
        #expect(wide.middle == "8" && wide.upper == "11" && wide.lower == "5")
        // The root of 2 ÷ 9, truncated, and twice that.
        let uneven = try #require(series.bollingerBands(window: 3, at: 5))
        #expect(uneven.middle == "4.666666666666666667")
        let root = Int128(471_404_520_791_031_682)
        #expect(uneven.upper.units - uneven.middle.units == 2 * root)
    }

    @Test("the bands of equal closes are the mean")
    func flatBands() throws {
        let series = Self.series([FixedDecimal](repeating: "0.00000317", count: 25))
        let bands = try #require(series.bollingerBands(at: 24))
        #expect(bands.upper == "0.00000317" && bands.lower == bands.upper)
    }

    @Test("the root of a mean square is the largest whole number below it", arguments: 0..<40)
    func root(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bits = UInt128(seed % 40) * 3 + 1
        let numbers = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
            UInt128.random(in: 0..<(1 << bits), using: &generator)
        }
        var squares = SquareSum()
        for number in numbers { squares.add(number) }
        let root = squares.rootOfMean(count: numbers.count)
        let all = Self.sumOfSquares(numbers)
        let most = Self.sumOfSquares(numbers.map { _ in root })
        let tooMany = Self.sumOfSquares(numbers.map { _ in root + 1 })
        #expect((most.high, most.low) <= (all.high, all.low))
        #expect((tooMany.high, tooMany.low) > (all.high, all.low))
    }

    private static func sumOfSquares(_ numbers: [UInt128]) -> (high: UInt128, low: UInt128) {
        numbers.reduce((high: 0, low: 0)) { sum, number in
            let square = number.multipliedFullWidth(by: number)
            let (low, carry) = sum.low.addingReportingOverflow(square.low)
            return (sum.high + square.high + (carry ? 1 : 0), low)
        }
    }

    // MARK: - Samples

    /// A random walk between about 1 and 100 million, in steps of 0.0001, some of them zero.
    private static func prices(_ seed: UInt64, count: Int) -> [FixedDecimal] {
        var generator = SeededGenerator(seed: seed)
        var price: Int64 = 500_000_000
        return (0..<count).map { _ in
            price = max(10_000, price + Int64.random(in: -40...40, using: &generator) * 10_000)
            return FixedDecimal(units: Int128(price) * FixedDecimal.unitsPerOne / 10_000)
        }
    }

    private static func series(_ closes: [FixedDecimal]) -> CandleSeries {
        let start = SeoulTime.timestamp(year: 2026, month: 1, day: 1)
        let candles = closes.enumerated().map { number, close in
            Candle(
                openTime: CandleInterval.minute1.advanced(start, by: number),
                open: close,
                high: close,
                low: close,
                close: close,
                volume: "1",
                origin: .rest
            )
        }
        let end = CandleInterval.minute1.advanced(start, by: closes.count)
        var series = CandleSeries(interval: .minute1)
        series.apply(
            CandlePage(
                market: "BTC_KRW",
                interval: .minute1,
                candles: candles,
                requestedAt: end,
                answeredAt: end
            ),
            tape: TradeTape()
        )
        return series
    }

    /// Expects values that differ by at most some units of 10⁻¹⁸.
    private static func expectEqual(
        _ one: FixedDecimal?,
        _ other: FixedDecimal?,
        within units: Int128
    ) throws {
        guard let one, let other else {
            #expect(one == other)
            return
        }
        #expect((one.units - other.units).magnitude <= units.magnitude, "\(one) is not \(other)")
    }
}
