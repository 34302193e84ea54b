import TestSupport
import Testing

@testable import Domain

@Suite("The spread in basis points and its last hour", .tags(.manyCases))
struct SpreadHistoryTests {
    private static let market: MarketID = "DOGE_KRW"

    /// 12:00:00, the start of a minute.
    private static func at(_ seconds: Int) -> Timestamp { .noon(seconds) }

    /// A history of one look at the book a second, each with its spread.
    private static func history(_ spreads: [FixedDecimal?], from start: Int = 0) -> SpreadHistory {
        var history = SpreadHistory()
        for (second, spread) in spreads.enumerated() {
            history.observe(spread, at: at(start + second))
        }
        return history
    }

    @Test(
        "the spread counts in ten-thousandths of the midpoint, rounded half away from zero",
        arguments: [
            ("101", "99", "200"), ("100", "100", "0"), ("99", "101", "-200"),
            ("3", "1", "10000"), ("2", "1", "6666.666666666666666667"),
            ("143211000", "143210000", "0.069827282217435174"),
            ("0.00000002", "0.00000001", "6666.666666666666666667"),
            ("0.000000000000000002", "0.000000000000000001", "6666.666666666666666667"),
            ("10000000000000000000", "1", "19999.999999999999996"),
            ("0", "1", nil), ("1", "0", nil), ("170000000000000000000", "1", nil),
        ] as [(FixedDecimal, FixedDecimal, FixedDecimal?)]
    )
    func basisPoints(ask: FixedDecimal, bid: FixedDecimal, expected: FixedDecimal?) {
        #expect(FixedDecimal.spreadBasisPoints(ask: ask, bid: bid) == expected)
    }

    @Test("random prices: the quotient is the nearest of 18 digits")
    func nearest() throws {
        var generator = SeededGenerator(seed: 41)
        for _ in 0..<2_000 {
            let size = Int128(10) << Int128.random(in: 0...40, using: &generator)
            let bid = Int128.random(in: 1...size, using: &generator)
            let ask = bid + Int128.random(in: 0...size, using: &generator)
            let points = FixedDecimal.spreadBasisPoints(
                ask: FixedDecimal(units: ask),
                bid: FixedDecimal(units: bid)
            )
            let exact = (ask - bid) * 20_000 * FixedDecimal.unitsPerOne
            let units = try #require(points).units
            #expect((units * (ask + bid) - exact).magnitude * 2 <= (ask + bid).magnitude)
        }
    }

    @Test(
        "random books: every mean equals a plain sum over the spans",
        arguments: Cases.seeds(8, of: 40)
    )
    func oracle(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var history = SpreadHistory()
        var oracle = NaiveSpreads()
        var time = Self.at(Int.random(in: 0...3_599, using: &generator))
        for _ in 0..<Int.random(in: 1...900, using: &generator) {
            let step: Int64 =
                switch Int.random(in: 0..<40, using: &generator) {
                case 0: .random(in: 0...400_000_000, using: &generator)
                case 1: 10_000_000
                case 2: 10_000_001
                case 3: 0
                default: .random(in: 1...9_000_000, using: &generator)
                }
            time = time.advanced(by: .microseconds(step))
            let spread: FixedDecimal? =
                Int.random(in: 0..<12, using: &generator) == 0
                ? nil
                : FixedDecimal(
                    units: .random(in: 0...20_000 * FixedDecimal.unitsPerOne, using: &generator)
                )
            history.observe(spread, at: time)
            oracle.observe(spread, at: time)
            // The plain sums take long.
            guard Int.random(in: 0..<8, using: &generator) == 0 else { continue }
            #expect(history.hour(at: time) == oracle.hour(at: time))
        }
    }

    @Test("the mean weighs spreads by their time")
    func weights() {
        // Four bp for three seconds, eight bp for one.
        let hour = Self.history(["4", "4", "4", "8", nil]).hour(at: Self.at(4))
        #expect(hour == SpreadHour(minutes: ["5"], mean: "5", known: .seconds(4)))
    }

    @Test("a spread holds for the limit and no longer; what follows is a gap")
    func limit() {
        var history = SpreadHistory()
        history.observe("3", at: Self.at(0))
        #expect(history.hour(at: Self.at(0)) == nil)
        history.observe("3", at: Self.at(10))
        #expect(history.hour(at: Self.at(10))?.known == .seconds(10))
        history.observe("5", at: Self.at(130))
        history.observe("5", at: Self.at(131))
        let hour = history.hour(at: Self.at(131))
        #expect(hour?.minutes == ["3", nil, "5"])
        #expect(hour?.known == .seconds(11))
    }

    @Test("minutes leave after an hour")
    func window() {
        var history = Self.history(Array(repeating: "7", count: 61))
        history.observe("9", at: Self.at(61))
        #expect(history.hour(at: Self.at(3_599))?.known == .seconds(61))
        #expect(history.hour(at: Self.at(3_600))?.known == .seconds(1))
        #expect(history.hour(at: Self.at(3_660)) == nil)
        history.observe("9", at: Self.at(4_000))
        #expect(history.hour(at: Self.at(4_000)) == nil)
    }

    @Test(
        "a spread that is negative or above 20,000 counts as none",
        arguments: ["-0.000000000000000001", "20000.000000000000000001"] as [FixedDecimal]
    )
    func impossible(spread: FixedDecimal) {
        #expect(Self.history([spread, "1", "1"]).hour(at: Self.at(2))?.known == .seconds(1))
    }

    @Test("a clock that steps back by little records nothing twice; by more it starts anew")
    func clock() {
        var history = Self.history(["2", "2", "2"])
        history.observe("8", at: Self.at(-5))
        history.observe("2", at: Self.at(3))
        #expect(history.hour(at: Self.at(3))?.known == .seconds(3))
        history.observe("8", at: Self.at(-60))
        #expect(history.hour(at: Self.at(-60)) == nil)
        history.observe("8", at: Self.at(-59))
        #expect(history.hour(at: Self.at(-59))?.mean == "8")
    }

    @Test("another market ends the spread that holds, and its hour stays")
    func switching() {
        var histories = SpreadHistories()
        _ = histories.observe("4", of: Self.market, at: Self.at(0))
        _ = histories.observe("4", of: Self.market, at: Self.at(2))
        _ = histories.observe("1", of: "BTC_KRW", at: Self.at(3))
        let back = histories.observe("6", of: Self.market, at: Self.at(5))
        #expect(back == SpreadHour(minutes: ["4"], mean: "4", known: .seconds(2)))
        #expect(histories.markets == ["BTC_KRW", Self.market])
    }

    @Test("of more than thirty markets the least recently viewed one is dropped")
    func bound() {
        var histories = SpreadHistories()
        var time = 0
        func view(_ market: MarketID) -> SpreadHour? {
            time += 2
            _ = histories.observe("4", of: market, at: Self.at(time - 1))
            return histories.observe("4", of: market, at: Self.at(time))
        }
        let markets = (0..<SpreadHistories.marketsKept).map {
            MarketID(stringLiteral: "C\($0)_KRW")
        }
        for market in markets { #expect(view(market)?.known == .seconds(1)) }
        #expect(view(markets[0])?.known == .seconds(2))
        #expect(view("NEW_KRW")?.known == .seconds(1))
        #expect(histories.markets.count == SpreadHistories.marketsKept)
        #expect(view(markets[0])?.known == .seconds(3))
        #expect(view(markets[1])?.known == .seconds(1), "it was dropped")
    }
}

/// Spreads as spans of time, summed anew for each question.
private struct NaiveSpreads {
    private var spans: [(from: Int64, to: Int64, spread: FixedDecimal)] = []
    private var last: (at: Int64, spread: FixedDecimal?)?

    mutating func observe(_ spread: FixedDecimal?, at time: Timestamp) {
        if let last, let held = last.spread, time.microseconds - last.at <= 10_000_000 {
            spans.append((last.at, time.microseconds, held))
        }
        last = (time.microseconds, spread)
    }

    func hour(at time: Timestamp) -> SpreadHour? {
        let running = time.microseconds / 60_000_000
        var minutes: [FixedDecimal?] = []
        var all = (sum: Int128(0), known: Int128(0))
        for minute in (running - 59)...running {
            let bounds = (minute * 60_000_000)...((minute + 1) * 60_000_000)
            var sum = Int128(0)
            var known = Int128(0)
            for span in spans where span.from < bounds.upperBound && span.to > bounds.lowerBound {
                let length = Int128(
                    min(span.to, bounds.upperBound) - max(span.from, bounds.lowerBound)
                )
                sum += span.spread.units * length
                known += length
            }
            all = (all.sum + sum, all.known + known)
            if known > 0 || !minutes.isEmpty {
                minutes.append(known > 0 ? Self.mean(sum, known) : nil)
            }
        }
        guard all.known > 0 else { return nil }
        return SpreadHour(
            minutes: minutes,
            mean: Self.mean(all.sum, all.known),
            known: .microseconds(Int64(all.known))
        )
    }

    /// Rounded half-even; sums are not negative.
    private static func mean(_ sum: Int128, _ known: Int128) -> FixedDecimal {
        let (whole, rest) = sum.quotientAndRemainder(dividingBy: known)
        let isUp = rest * 2 > known || (rest * 2 == known && whole % 2 == 1)
        return FixedDecimal(units: whole + (isUp ? 1 : 0))
    }
}
