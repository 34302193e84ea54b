import Domain
import Testing

@testable import ExchangeSimulator

@Suite("A market's past as a random walk")
struct RandomWalkTests {
    @Test(
        "a walk that rises for years stays below the highest price that can be multiplied",
        arguments: [(move: 60_000, wick: 30_000), (move: 1_600, wick: 0), (move: 0, wick: 90_000)]
    )
    func rising(limits: (move: Int, wick: Int)) {
        let walk = RandomWalk(
            ladder: .of(.krw),
            turnover: 1_000_000_000,
            moveMillionths: limits.move,
            wickMillionths: limits.wick
        )
        let highest = Int64.max / 2 / Int64(max(limits.move, limits.wick, 4_096))
        let traded = [Bool](repeating: true, count: 3_000)
        for seed: UInt64 in 1...20 {
            var random = SeededRandom(seed: seed)
            // Half of the walks rise from there into the past.
            let periods = walk.periods(traded: traded, close: highest, random: &random)
            #expect(periods.dropFirst().allSatisfy { 0 < $0.low && $0.low <= $0.high })
            #expect(periods.allSatisfy { $0.close <= highest })
        }
    }
}
