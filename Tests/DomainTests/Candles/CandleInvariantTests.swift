import Domain
import TestSupport
import Testing

@Suite("Candle series invariants")
struct CandleInvariantTests {
    /// An answer with random rows, times and order.
    private static func page(_ random: inout RandomTrades, _ trades: [Trade]) -> CandlePage {
        let start = Int.random(in: trades.indices, using: &random.generator)
        let interval: CandleInterval = .minute1
        var rows = NaiveCandles.candles(of: Array(trades[start...].prefix(200)), interval)
        for index in rows.indices {
            rows[index].origin =
                Int.random(in: 0...20, using: &random.generator) == 0 ? .store : .rest
            if Int.random(in: 0...5, using: &random.generator) == 0 { rows[index].volume = "7" }
        }
        if Bool.random(using: &random.generator) { rows.shuffle(using: &random.generator) }
        let times = (0...1).map { _ in
            trades.randomElement(using: &random.generator)?.executedAt ?? .noon()
        }
        return CandlePage(
            market: RandomTrades.market,
            interval: interval,
            candles: rows,
            requestedAt: times[0],
            answeredAt: Bool.random(using: &random.generator) ? times[0] : times[1]
        )
    }

    @Test(
        "random input keeps order, bounds and correct averages",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func anything(seed: UInt64) throws {
        var random = RandomTrades(seed: seed)
        let trades = random.list(900, within: .seconds(20), kinds: 3)
        let interval = CandleInterval.minute1
        var series = CandleSeries(interval: interval)
        var tape = TradeTape()
        for _ in 0..<30 {
            switch Int.random(in: 0...9, using: &random.generator) {
            case 0...5:
                let start = Int.random(in: trades.indices, using: &random.generator)
                for trade in trades[start...].prefix(40) {
                    series.apply(trade)
                    tape.append(trade)
                }
            case 6:
                let lost = trades.randomElement(using: &random.generator)?.executedAt ?? .noon()
                series.markLoss(from: lost)
                tape.markLoss(at: lost)
            default:
                series.apply(Self.page(&random, trades), tape: tape)
            }
            #expect(zip(series, series.dropFirst()).allSatisfy { $0.openTime < $1.openTime })
            #expect(series.allSatisfy { interval.bucketStart(of: $0.openTime) == $0.openTime })
            #expect(series.allSatisfy { $0.low <= $0.close && $0.close <= $0.high })
            try expectAverages(of: series, [5])
            guard let first = series.first?.openTime, let last = series.last?.openTime else {
                continue
            }
            let gaps = series.gaps(in: first..<last, known: last)
            let empty = gaps.map { interval.bucketCount(from: $0.from, to: $0.to) }.reduce(0, +)
            #expect(empty + series.count == interval.bucketCount(from: first, to: last) + 1)
        }
    }
}
