import Domain
import TestSupport
import Testing

@Suite("Whatever the sources say, the tape stays in order")
struct TradeTapeSoundnessTests {
    @Test("with names that are unique and stay", arguments: 1...30 as ClosedRange<UInt64>)
    func anything(seed: UInt64) {
        var random = RandomTrades(seed: seed)
        let trades = random.list(400, within: .milliseconds(300), kinds: 2)
        var tape = TradeTape()
        var names: [TradeID: TradeHistory.Row] = [:]
        for _ in 0..<150 {
            switch Int.random(in: 0...9, using: &random.generator) {
            case 0...6:
                let start = Int.random(in: trades.indices, using: &random.generator)
                for trade in trades[start...].prefix(5) { tape.append(trade) }
            case 7:
                tape.noteLoss(
                    at: trades.randomElement(using: &random.generator)?.executedAt ?? .noon()
                )
            default:
                let start = Int.random(in: trades.indices, using: &random.generator)
                var history = TradeHistory(trades[start...].prefix(100))
                if Bool.random(using: &random.generator) {
                    history.rows.shuffle(using: &random.generator)
                }
                tape.join(history)
                #expect(tape.isJoined)
            }
            #expect(tape.count <= TradeTape.capacity && tape.gaps.count <= TradeTape.gapsMax)
            #expect(Set(tape.map(\.id)).count == tape.count)
            #expect(
                zip(tape.gaps, tape.gaps.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound }
            )
            for (age, trade) in tape.enumerated() {
                let row = TradeHistory.Row(trade)
                if let known = names[trade.id] { #expect(known == row) }
                names[trade.id] = row
                let earlier = age + 1 < tape.count ? tape[age + 1] : nil
                guard let earlier, let tick = trade.tick else { continue }
                let expected: PriceDirection =
                    trade.price == earlier.price
                    ? .flat : (trade.price > earlier.price ? .up : .down)
                #expect(tick == expected)
            }
        }
    }
}
