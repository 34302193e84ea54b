import Domain
import TestSupport
import Testing

@Suite("Trades of whole milliseconds are joined one by one")
struct TradeHistoryTimesTests {
    private static func trade(_ price: FixedDecimal, milliseconds: Int) -> Trade {
        Trade(
            RandomTrades.market,
            price: price,
            at: .noon(plus: .milliseconds(milliseconds))
        )
    }

    private static func history(
        _ trades: some Sequence<Trade>,
        _ beginning: TradeHistory.Beginning = .asRequested
    ) -> TradeHistory {
        TradeHistory(
            market: RandomTrades.market,
            resolution: .millisecond,
            rows: trades.map { TradeHistory.Row($0, in: .millisecond) },
            beginning: beginning
        )
    }

    @Test("trades of whole seconds are not added again in the second in which the rows begin")
    func wholeSeconds() {
        var trades = (0..<15).map { number in
            Self.trade(FixedDecimal(Int64(100 + number)), milliseconds: 100 + 200 * number)
        }
        var tape = TradeTape()
        tape.join(TradeHistory(trades))
        tape.markLoss(at: .noon(3))
        trades += [Self.trade("200", milliseconds: 4_500), Self.trade("201", milliseconds: 5_500)]
        tape.join(Self.history(trades[6...]))
        #expect(tape.reversed().map(\.price) == trades.map(\.price))
        #expect(tape.isComplete)
    }

    @Test(
        "equal trades in adjacent milliseconds are told once, whatever the distance of the clocks",
        arguments: [-1, 0, 1]
    )
    func twins(shift: Int) {
        var tape = TradeTape()
        let twins = [10, 11, 12, 500].map { Self.trade("100", milliseconds: $0) }
        tape.join(Self.history(twins, .firstTrade))
        for trade in twins {
            var live = trade
            live.executedAt = trade.executedAt.advanced(by: .milliseconds(shift))
            tape.append(live)
        }
        #expect(tape.count == twins.count)
        tape.append(Self.trade("100", milliseconds: 900))
        #expect(tape.count == twins.count + 1)
    }

    @Test(
        "a live trade that is up to two seconds late repeats its row of REST",
        arguments: [1_000, 1_500, 2_000, 2_001]
    )
    func lateRepeat(delay: Int) {
        var tape = TradeTape()
        let late = Self.trade("100", milliseconds: 10)
        tape.join(Self.history([late], .firstTrade))
        tape.append(Self.trade("101", milliseconds: 10 + delay))
        tape.append(late)
        #expect(tape.count == (delay <= 2_000 ? 2 : 3))
    }

    @Test(
        "rows that begin with the last known trade close the gap if the exchange has no older ones",
        arguments: [-1, 0, 1, 5]
    )
    func firstTrade(shift: Int) throws {
        var tape = TradeTape()
        tape.append(Self.trade("100", milliseconds: 10_000))
        tape.markLoss(at: .noon(20))
        let rows = [
            Self.trade("100", milliseconds: 10_000 + shift),
            Self.trade("101", milliseconds: 15_000),
        ]
        var unproven = tape
        unproven.join(Self.history(rows, .short(.notServed)))
        #expect(unproven.repair?.failure == .notServed)
        tape.join(Self.history(rows, .oldestServed))
        let isReached = shift <= 1
        #expect(try #require(tape.repair).failure == (isReached ? nil : .notServed))
        #expect(tape.isComplete == isReached)
    }
}
