import Domain
import TestSupport
import Testing

@Suite("Turnover of alert rules")
struct AlertTurnoverTests {
    private static func trade(_ value: Int64, at second: Int) -> Trade {
        Trade("A_KRW", price: FixedDecimal(value), at: .noon(second))
    }

    @Test("turnover is that of the running minute and those before it")
    func multiple() {
        var turnover = AlertTurnover()
        turnover.begin(since: .noon(-30))
        turnover.add(Self.trade(100, at: 0))
        turnover.add(Self.trade(20, at: 59))
        turnover.add(Self.trade(3, at: 60))
        turnover.add(Self.trade(50, at: 130))
        // Out of order by time.
        turnover.add(Self.trade(4, at: 119))
        func multiple(_ minutes: Int, _ second: Int) -> FixedDecimal? {
            // One won a minute on the average.
            turnover.multiple(ofMinutes: minutes, at: .noon(second), tradeValue24h: "1440")
        }
        #expect(multiple(1, 130) == "50")
        #expect(multiple(2, 130) == "28.5")
        #expect(multiple(3, 130) == "59")
        #expect(multiple(4, 130) == nil)
        #expect(multiple(1, 180) == "0")
        #expect(multiple(3, 180) == "19")
    }

    @Test("turnover is unknown before all trades of the minutes are known, and after a loss")
    func unknown() {
        var turnover = AlertTurnover()
        turnover.add(Self.trade(100, at: 0))
        func multiple(_ second: Int, _ value: FixedDecimal = "1440") -> FixedDecimal? {
            turnover.multiple(ofMinutes: 1, at: .noon(second), tradeValue24h: value)
        }
        #expect(multiple(0) == nil)
        turnover.begin(since: .noon(5))
        turnover.add(Self.trade(100, at: 30))
        #expect(multiple(30) == nil)
        #expect(multiple(60) == "0")
        #expect(multiple(60, "0") == nil)
        turnover.interrupt()
        #expect(multiple(60) == nil)
    }

    @Test("turnover equals the sum over all trades", arguments: 0..<50 as Range<UInt64>)
    func sums(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var turnover = AlertTurnover()
        turnover.begin(since: .noon(-3_601))
        var trades: [Trade] = []
        var second = 0
        for _ in 0..<200 {
            second += Int.random(in: 0...120, using: &generator)
            let late = Int.random(in: 0..<5, using: &generator) == 0 ? 70 : 0
            let value = Int64.random(in: 1...1_000_000, using: &generator)
            trades.append(Self.trade(value, at: max(second - late, 0)))
            turnover.add(trades[trades.count - 1])
            let minutes =
                [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60]
                .randomElement(using: &generator) ?? 1
            let first = (second / 60 - minutes + 1) * 60
            let sum = trades.filter { $0.executedAt >= .noon(first) }
                .reduce(Int128(0)) { $0 + $1.price.units }
            let multiple = turnover.multiple(
                ofMinutes: minutes,
                at: .noon(second),
                tradeValue24h: "1440"
            )
            #expect(multiple == FixedDecimal(units: sum / Int128(minutes)))
        }
    }
}
