import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("A loss of 30 s of the stream is repaired")
struct GapTrialTests {
    /// The trades of each moment, in any order.
    ///
    /// The oldest moment is left out, because a full tape may have evicted some of its trades.
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
    /// - Returns: the number of compared candles, and of compared running hours.
    private static func expectRepairedCandles(
        _ stages: GapTrial.Stages,
        _ trial: GapTrial,
        _ note: Comment
    ) -> (candles: Int, hours: Int) {
        var (count, hours) = (0, 0)
        for stage in stages.repaired {
            // Without candles of REST the stream has to pass the trades that it may repeat.
            let isAlone = trial.repairOrder == .tradesAlone
            let tape = stage.board.tape(of: GapTrial.market)
            if isAlone, !tape.isWhole(since: trial.loss.lowerBound) { continue }
            for interval in GapTrial.intervals {
                let expected = trial.expected(interval, at: stage)
                let series = stage.board.details[GapTrial.market]?.candles[interval]
                for candle in expected {
                    let made = numbers(series).first { $0.openTime == candle.openTime }
                    #expect(made == candle, note)
                }
                count += expected.count
            }
            if isAlone, let hour = trial.expectedHour(at: stage) {
                let series = stage.board.details[GapTrial.market]?.candles[.hour1]
                #expect(numbers(series).last == hour, note)
                hours += 1
            }
        }
        return (count, hours)
    }

    /// Compares the trades of a repaired tape with those of one without the loss.
    private static func expectEqualTrades(
        _ board: MarketBoard,
        _ whole: MarketBoard,
        in resolution: TradeHistory.Resolution = .millisecond,
        _ note: Comment
    ) {
        let (tape, all) = (board.tape(of: GapTrial.market), whole.tape(of: GapTrial.market))
        #expect(multisets(tape, in: resolution) == multisets(all, in: resolution), note)
    }

    /// Compares the candles of two boards, with the running ones.
    private static func expectEqualCandles(
        _ board: MarketBoard,
        _ whole: MarketBoard,
        _ note: Comment
    ) {
        for interval in GapTrial.intervals {
            let series = board.details[GapTrial.market]?.candles[interval]
            let expected = whole.details[GapTrial.market]?.candles[interval]
            #expect(numbers(series) == numbers(expected), note)
            #expect(series?.isLoaded == true, note)
        }
    }

    @Test(
        "after the repair, candles and trades equal those of a run without the loss",
        arguments: 0..<10 as Range<UInt64>
    )
    func paged(round: UInt64) throws {
        let services = [GapTrial.Service.pages, .inclusivePages, .shiftedPages]
        var (compared, hours) = (0, 0)
        for seed in (round * 20)..<((round + 1) * 20) {
            let service = services[Int(seed) % services.count]
            let trial = GapTrial(seed: seed, service: service)
            let (stages, others) = (trial.run(isLost: true), trial.run(isLost: false))
            let (board, whole) = (stages.last.board, others.last.board)
            let tape = board.tape(of: GapTrial.market)
            let note: Comment = "seed \(seed)"
            let repaired = Self.expectRepairedCandles(stages, trial, note)
            (compared, hours) = (compared + repaired.candles, hours + repaired.hours)
            for (stage, other) in zip(stages.repaired, others.repaired) {
                Self.expectEqualTrades(stage.board, other.board, note)
            }
            Self.expectEqualTrades(board, whole, note)
            #expect(tape.isComplete && tape.gaps.isEmpty, note)
            #expect(Set(tape.map(\.id)).count == tape.count, note)
            let repair = try #require(tape.repair, note)
            #expect(repair.failure == nil, note)
            #expect(repair.span.lowerBound <= trial.loss.lowerBound, note)
            Self.expectEqualCandles(board, whole, note)
        }
        #expect(compared > 20 && hours > 0)
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
            let tape = board.tape(of: GapTrial.market)
            let note: Comment = "seed \(seed)"
            let repair = try #require(tape.repair, note)
            Self.expectEqualCandles(board, whole, note)
            if repair.failure == nil {
                Self.expectEqualTrades(board, whole, in: .second, note)
            } else {
                #expect(repair.failure == .onePage, note)
                // A full tape has evicted the gap with the trades before it.
                let isEvicted = tape.last.map { $0.id.at >= repair.span.upperBound } ?? true
                #expect(tape.isComplete == isEvicted, note)
            }
        }
    }
}
