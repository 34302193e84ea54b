import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("A loss of 30 s of the stream is repaired")
struct GapTrialTests {
    /// The trades of each moment, in any order.
    ///
    /// The oldest moment is left out, because a full tape may have evicted some of its trades.
    ///
    private static func multisets(
        _ tape: TradeTape,
        in resolution: TradeHistory.Resolution
    ) -> [Timestamp: [String]] {
        var sets: [Timestamp: [String]] = [:]
        for trade in tape {
            let figures = "\(trade.price.units) \(trade.quantity.units) \(trade.side)"
            sets[resolution.start(of: trade.id.at), default: []].append(figures)
        }
        if let oldest = sets.keys.min() { sets[oldest] = nil }
        return sets.mapValues { $0.sorted() }
    }

    private static func numbers(_ series: CandleSeries?) -> [Candle] {
        (series ?? CandleSeries(interval: .minute1)).map { candle in
            var candle = candle
            candle.origin = .rest
            candle.isCorrected = false
            return candle
        }
    }

    /// Compares the candles that a repair made of trades with those of the exchange.
    ///
    /// - Returns: the number of compared candles.
    private static func expectRepairedCandles(
        _ stages: GapTrial.Stages,
        _ trial: GapTrial,
        _ note: Comment
    ) -> Int {
        var count = 0
        for stage in stages.repaired {
            for interval in GapTrial.intervals {
                let expected = trial.expected(interval, at: stage)
                let series = stage.board.details[GapTrial.market]?.candles[interval]
                for candle in expected {
                    let made = numbers(series).first { $0.openTime == candle.openTime }
                    #expect(made == candle, note)
                }
                count += expected.count
            }
        }
        return count
    }

    /// Compares the candles of two boards.
    ///
    /// With shifted clocks a trade at the edge of a running candle is in another bucket until REST
    /// corrects it, and trades of whole seconds do not tell which ones a running candle has.
    private static func expectEqualCandles(
        _ board: MarketBoard,
        _ whole: MarketBoard,
        _ trial: GapTrial
    ) {
        for interval in GapTrial.intervals {
            let series = board.details[GapTrial.market]?.candles[interval]
            let expected = whole.details[GapTrial.market]?.candles[interval]
            let open = [.shiftedPages, .onePage].contains(trial.service) ? 1 : 0
            #expect(
                numbers(series).dropLast(open) == numbers(expected).dropLast(open),
                "\(interval)"
            )
            #expect(series?.isLoaded == true)
        }
    }

    @Test(
        "after the repair, candles and trades equal those of a run without the loss",
        arguments: 0..<10 as Range<UInt64>
    )
    func paged(round: UInt64) throws {
        let services = [GapTrial.Service.pages, .inclusivePages, .shiftedPages]
        var compared = 0
        for seed in (round * 20)..<((round + 1) * 20) {
            let service = services[Int(seed) % services.count]
            let trial = GapTrial(seed: seed, service: service)
            let stages = trial.run(isLost: true)
            let (board, whole) = (stages.last.board, trial.run(isLost: false).last.board)
            let (tape, all) = (board.tape(of: GapTrial.market), whole.tape(of: GapTrial.market))
            let note: Comment = "seed \(seed)"
            compared += Self.expectRepairedCandles(stages, trial, note)
            #expect(
                Self.multisets(tape, in: .millisecond) == Self.multisets(all, in: .millisecond),
                note
            )
            #expect(tape.isComplete && tape.gaps.isEmpty, note)
            #expect(Set(tape.map(\.id)).count == tape.count, note)
            let repair = try #require(tape.repair, note)
            #expect(repair.failure == nil, note)
            #expect(repair.span.lowerBound <= trial.loss.lowerBound, note)
            Self.expectEqualCandles(board, whole, trial)
        }
        #expect(compared > 20)
    }

    @Test(
        "API 1.x repairs what its page reaches, and says what it does not",
        arguments: 0..<10 as Range<UInt64>
    )
    func onePage(round: UInt64) throws {
        for seed in (round * 3)..<((round + 1) * 3) {
            let trial = GapTrial(seed: seed, service: .onePage)
            let board = trial.run(isLost: true).last.board
            let whole = trial.run(isLost: false).last.board
            let (tape, all) = (board.tape(of: GapTrial.market), whole.tape(of: GapTrial.market))
            let repair = try #require(tape.repair, "seed \(seed)")
            Self.expectEqualCandles(board, whole, trial)
            if repair.failure == nil {
                #expect(
                    Self.multisets(tape, in: .second) == Self.multisets(all, in: .second),
                    "seed \(seed)"
                )
            } else {
                #expect(repair.failure == .onePage, "seed \(seed)")
                // A full tape has evicted the gap with the trades before it.
                let isEvicted = tape.last.map { $0.id.at >= repair.span.upperBound } ?? true
                #expect(tape.isComplete == isEvicted, "seed \(seed)")
            }
        }
    }
}
