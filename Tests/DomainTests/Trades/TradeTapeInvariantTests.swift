import Domain
import TestSupport
import Testing

@Suite("Trade tape invariants")
struct TradeTapeInvariantTests {
    @Test(
        "random input keeps order and unique, stable identifiers",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func anything(seed: UInt64) {
        var random = RandomTrades(seed: seed)
        let trades = random.list(400, within: .milliseconds(300), kinds: 2)
        var tape = TradeTape()
        var names: [TradeID: TradeHistory.Row] = [:]
        for _ in 0..<80 {
            switch Int.random(in: 0...9, using: &random.generator) {
            case 0...6:
                let start = Int.random(in: trades.indices, using: &random.generator)
                for trade in trades[start...].prefix(5) { tape.append(trade) }
            case 7:
                tape.markLoss(
                    at: trades.randomElement(using: &random.generator)?.executedAt ?? .noon()
                )
            default:
                let start = Int.random(in: trades.indices, using: &random.generator)
                var told = Array(trades[start...].prefix(100))
                if Bool.random(using: &random.generator) {
                    told.shuffle(using: &random.generator)
                }
                tape.join(TradeHistory(told))
                #expect(tape.isJoined)
            }
            #expect(tape.count <= TradeTape.capacity && tape.gaps.count <= TradeTape.gapsMax)
            #expect(Set(tape.map(\.id)).count == tape.count)
            #expect(
                zip(tape.gaps, tape.gaps.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound }
            )
            let isSound = tape.enumerated().allSatisfy { age, trade in
                let row = TradeHistory.Row(trade)
                let isSame = names[trade.id].map { $0 == row } ?? true
                names[trade.id] = row
                let earlier = age + 1 < tape.count ? tape[age + 1] : nil
                guard let earlier, let tick = trade.tick else { return isSame }
                let difference = FixedDecimal(units: trade.price.units - earlier.price.units)
                return isSame && tick == PriceDirection(signOf: difference)
            }
            #expect(isSound)
        }
    }
}
