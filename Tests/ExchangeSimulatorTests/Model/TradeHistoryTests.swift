import Domain
import Testing

@testable import ExchangeSimulator

@Suite("Last trades of a market: emitted ones after generated older ones")
struct TradeHistoryTests {
    @Test("generated trades add up to their minutes, in busy and quiet markets")
    func madeUp() throws {
        let exchange = SimulatedExchangeTests.exchange(seed: 1, won: 60, bitcoin: 13)
        // From the busiest to an illiquid one, and one in bitcoin.
        for market in [0, 20, 54, 55, 62].map({ exchange.markets[$0] }) {
            let past = try #require(market.past)
            let trades = past.archive().trades
            #expect(trades.count == RecentTrades.answerMax)
            #expect(zip(trades, trades.dropFirst()).allSatisfy { $0.at <= $1.at })
            #expect(trades.allSatisfy { $0.quantity > 0 && market.ladder.contains($0.price) })
            #expect(trades.last?.price == market.price)
            #expect(trades.allSatisfy { $0.at < SimulatedExchangeTests.start })
            // The oldest minute may have lost some trades to the bound.
            let byMinute = Dictionary(grouping: trades) { SeoulMinute.number(of: $0.at) }
            let oldest = byMinute.keys.min()
            for (number, trades) in byMinute
            where number != oldest && number > past.current - 1_500 {
                let minute = market.history[number]
                #expect(trades.first?.price == minute.open && trades.last?.price == minute.close)
                #expect(trades.map(\.price).max() == minute.high)
                #expect(trades.map(\.price).min() == minute.low)
                let volume = trades.reduce(Int128(0)) { $0 + Int128($1.quantity) }
                #expect(volume == minute.wholeVolume)
            }
        }
    }

    @Test("the history holds the last hundred trades in order")
    func bound() {
        var recent = RecentTrades()
        #expect(recent.last == nil && recent.all.isEmpty)
        for number in 1...Int64(250) {
            recent.add(
                SimulatedTrade(
                    price: number,
                    quantity: 1,
                    isBuy: true,
                    isUp: true,
                    at: Timestamp(microseconds: number)
                )
            )
            #expect(recent.last?.price == number)
            #expect(recent.all.map(\.price) == Array(max(1, number - 99)...number))
        }
    }

    @Test("a market keeps its emitted trades")
    func told() {
        var exchange = SimulatedExchangeTests.exchange(seed: 3)
        var told: [Int: [SimulatedTrade]] = [:]
        SimulatedExchangeTests.run(
            &exchange,
            seconds: 30,
            framesPerSecond: 1_200,
            stepSeed: 1
        ) { event, _ in told[event.market, default: []] += event.trades }
        for (place, market) in exchange.markets.enumerated() {
            #expect(market.trades.all == (told[place] ?? []).suffix(market.trades.capacity))
        }
    }
}
