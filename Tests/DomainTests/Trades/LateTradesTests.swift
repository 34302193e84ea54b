import Domain
import TestSupport
import Testing

@Suite("Trades that the stream sends late or loses stand on the tape once")
struct LateTradesTests {
    private static let market = RandomTrades.market

    private static func trade(_ price: Int64, _ milliseconds: Int64) -> Trade {
        Trade(
            market,
            price: FixedDecimal(price),
            at: .noon().advanced(by: .milliseconds(milliseconds))
        )
    }

    private func expect(
        _ tape: TradeTape,
        _ prices: [Int64],
        at place: SourceLocation = #_sourceLocation
    ) {
        #expect(
            tape.reversed().map(\.price) == prices.map { FixedDecimal($0) },
            sourceLocation: place
        )
    }

    /// REST's rows 1 to 5, of which the stream repeats all but the fifth, and a newer trade.
    private func tape() -> TradeTape {
        let rows = (1...5 as ClosedRange<Int64>).map { Self.trade($0, $0 * 300) }
        var tape = TradeTape()
        tape.join(TradeHistory(rows))
        for trade in rows[1..<4] { tape.append(trade) }
        tape.append(Self.trade(6, 1_800))
        return tape
    }

    @Test("a late trade that REST has is its row")
    func late() {
        var tape = tape()
        expect(tape, [1, 2, 3, 4, 5, 6])
        #expect(!tape.isWhole(since: .noon()))
        #expect(tape.append(Self.trade(5, 1_500)).isEmpty)
        #expect(tape.append(Self.trade(7, 9_000)).isEmpty)
        expect(tape, [1, 2, 3, 4, 5, 6, 7])
        #expect(tape.isComplete && tape.isWhole(since: .noon(1)))
    }

    @Test("a row that the stream has passed is not expected any more")
    func lost() {
        var tape = tape()
        #expect(tape.append(Self.trade(7, 3_999)).isEmpty)
        #expect(!tape.isWhole(since: .noon(1)))
        #expect(tape.append(Self.trade(8, 4_000)).isEmpty)
        expect(tape, [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(tape.isWhole(since: .noon(1)))
    }

    @Test(
        "whichever later trades are late, each is on the tape once",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func anyLate(seed: UInt64) {
        var random = RandomTrades(seed: seed)
        for _ in 0..<60 {
            let trades = random.list(60, within: .milliseconds(300))
            let start = Int.random(in: 0..<20, using: &random.generator)
            let answered = Int.random(in: 45...60, using: &random.generator)
            var sent = trades[start...].map { trade in
                let isLate = Int.random(in: 0...3, using: &random.generator) == 0
                let delay = isLate ? Int.random(in: 0...2_000, using: &random.generator) : 0
                return (at: trade.executedAt.advanced(by: .milliseconds(delay)), trade: trade)
            }
            // Only a repeat of an earlier second than the last row's proves that rows repeat.
            sent[0].at = trades[start].executedAt
            sent.sort { $0.at < $1.at }
            var tape = TradeTape()
            tape.join(TradeHistory(trades[..<answered]))
            for trade in sent.map(\.trade) { tape.append(trade) }
            #expect(tape.count == trades.count)
            #expect(Set(tape.map(\.price)) == Set(trades.map(\.price)))
            #expect(zip(tape, tape.dropFirst()).allSatisfy { $0.id.at.second >= $1.id.at.second })
        }
    }
}
