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
        var turnover = AlertTurnover(since: .noon(-30))
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

    @Test("turnover is unknown before all trades of the minutes are known")
    func unknown() {
        var turnover = AlertTurnover(since: .noon(5))
        func multiple(_ second: Int, _ value: FixedDecimal = "1440") -> FixedDecimal? {
            turnover.multiple(ofMinutes: 1, at: .noon(second), tradeValue24h: value)
        }
        #expect(multiple(5) == nil)
        turnover.add(Self.trade(100, at: 30))
        #expect(multiple(30) == nil)
        #expect(multiple(60) == "0")
        #expect(multiple(60, "0") == nil)
    }

    @Test("turnover counts once its minutes were followed as a whole")
    func turnover() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A turnover 1m > 2x")
        // The average minute has 1,000 won.
        bench.trade("A_KRW", "1000", "1000", "1000", at: .noon(2))
        bench.trade("A_KRW", "1000", at: .noon(61))
        bench.trade("BTC_KRW", "100000000", at: .noon(62))
        bench.tick(at: .noon(62))
        #expect(bench.news().isEmpty)
        bench.trade("A_KRW", "1000", at: .noon(63))
        #expect(bench.news() == ["A_KRW ↑ 2"])
    }

    @Test("turnover counts again after an interruption, also of a market without a trade since")
    func interruption() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A turnover 1m > 2x again 0s")
        bench.trade("A_KRW", "1000", at: .noon(2))
        for start in [10, 130] {
            bench.reconnect(at: .noon(start))
            bench.prove(at: .noon(start + 2))
            bench.trade("A_KRW", "1000", "1000", "1000", at: .noon(start + 3))
            bench.tick(at: .noon(start + 4))
            #expect(bench.news().isEmpty, "trades of this minute may be lost")
            bench.pass(to: .noon(start + 60))
            bench.trade("A_KRW", "1000", "1000", at: .noon(start + 61))
            #expect(bench.news() == ["A_KRW ↑ 2"])
        }
    }

    @Test("trades while no rule watched the turnover are not missing without notice")
    func unwatched() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A turnover 1m > 2x again 0s")
        bench.trade("A_KRW", "1000", at: .noon(2))
        bench.setOwner { $0.rules = [] }
        bench.trade("A_KRW", "1000", "1000", "1000", at: .noon(121))
        bench.setOwner { _ in }
        bench.pass(to: .noon(122))
        bench.trade("A_KRW", "1000", "1000", at: .noon(123))
        #expect(bench.news().isEmpty)
        bench.pass(to: .noon(180))
        bench.trade("A_KRW", "1000", "1000", at: .noon(181))
        #expect(bench.news() == ["A_KRW ↑ 2"])
    }

    @Test("the turnover of a market that joins a subscription counts from its first trade on")
    func lateMarket() throws {
        var bench = ObservedBoard.live()
        try bench.rule("all turnover 1m > 2x again 0s")
        let new = ListingEntry("NEW_KRW", price: "1000", tradeValue24h: "1440000")
        bench.list(.krw, ObservedBoard.standard + [new], at: .noon(10))
        bench.pass(to: .noon(61))
        bench.trade("NEW_KRW", "1000", "1000", "1000", at: .noon(62))
        bench.tick(at: .noon(63))
        #expect(bench.news().isEmpty)
        bench.pass(to: .noon(120))
        bench.trade("NEW_KRW", "1000", "1000", at: .noon(121))
        #expect(bench.news() == ["NEW_KRW ↑ 2"])
    }

    @Test("a local clock that is behind does not add the trades of two minutes")
    func slowClock() throws {
        var bench = ObservedBoard.live()
        try bench.rule("A turnover 1m > 2x again 0s")
        func trade(_ market: MarketID, at second: Int) {
            let trade = Trade(market, price: "1000", at: .noon(second))
            bench.apply(.trade(trade), at: .noon(second - 30))
        }
        trade("A_KRW", at: 32)
        trade("A_KRW", at: 118)
        trade("BTC_KRW", at: 119)
        trade("A_KRW", at: 121)
        #expect(bench.news().isEmpty)
        trade("A_KRW", at: 122)
        #expect(bench.news() == ["A_KRW ↑ 2"])
    }

    @Test("turnover equals the sum over all trades", arguments: 0..<50 as Range<UInt64>)
    func sums(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var turnover = AlertTurnover(since: .noon(-3_601))
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
