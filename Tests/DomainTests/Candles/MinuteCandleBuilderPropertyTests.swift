import Domain
import TestSupport
import Testing

@Suite("Minute candle builder with random order of trades and interruptions")
struct MinuteCandleBuilderPropertyTests {
    /// A builder on a stream, and its written candles.
    private struct Bench {
        var stream: MinuteStream
        var builder = MinuteCandleBuilder()
        var written = WrittenMinutes()

        init(seed: UInt64) {
            stream = MinuteStream(seed: seed)
            apply(MinuteStream.listing(at: stream.now))
        }

        mutating func apply(_ events: [MarketEvent]) {
            builder.apply(MarketEventBatch(events: events, receivedAt: stream.now))
        }

        /// Writes some unwritten rows; every third time the store fails.
        mutating func write() {
            let rowsMax = Int.random(in: 1...9, using: &stream.generator)
            guard let taken = builder.dequeueUnwritten(rowsMax: rowsMax) else { return }
            if Int.random(in: 0..<3, using: &stream.generator) == 0 {
                builder.requeue(taken)
            } else {
                written.write(taken)
            }
        }

        mutating func writeAll() {
            while let taken = builder.dequeueUnwritten(rowsMax: 7) { written.write(taken) }
        }

        mutating func go(_ steps: Int) {
            for _ in 0..<steps {
                let milliseconds = Int64.random(in: 1...20_000, using: &stream.generator)
                apply(stream.advance(by: .milliseconds(milliseconds)))
                switch Int.random(in: 0..<40, using: &stream.generator) {
                case 0:
                    apply(stream.cut())
                    let away = Int64.random(in: 0...130, using: &stream.generator)
                    apply(stream.advance(by: .seconds(away)))
                    apply(stream.subscribe())
                case 1:
                    stream.jump(by: .seconds(300))
                case 2:
                    builder.markAllUnwritten()
                case 3..<20: write()
                default: continue
                }
            }
        }
    }

    @Test("covered minutes have the candles of all trades, and nothing else is written")
    func isSound() {
        for seed in UInt64(0)..<60 {
            var bench = Bench(seed: seed)
            bench.apply(bench.stream.subscribe())
            bench.go(300)
            // Late trades arrive before the end.
            bench.apply(bench.stream.tick())
            bench.writeAll()
            let truth = bench.stream.candles()
            for market in MinuteStream.markets {
                let covered =
                    truth[market]?.filter { bench.written.covered.contains($0.key) } ?? [:]
                #expect(bench.written.candles[market] ?? [:] == covered, "\(market) seed \(seed)")
            }
        }
    }

    @Test("every minute that can be known is covered")
    func isComplete() {
        for seed in UInt64(100)..<160 {
            var bench = Bench(seed: seed)
            bench.apply(bench.stream.subscribe())
            bench.go(300)
            bench.apply(bench.stream.tick())
            bench.writeAll()
            #expect(bench.written.covered == bench.stream.knowable, "seed \(seed)")
            #expect(bench.builder.droppedRows == 0)
            #expect(!bench.builder.hasUnwritten)
        }
    }

    @Test("a new leader writes all held candles again without changing stored ones")
    func isRepeatable() {
        for seed in UInt64(200)..<220 {
            var bench = Bench(seed: seed)
            bench.apply(bench.stream.subscribe())
            bench.go(200)
            bench.writeAll()
            let before = bench.written
            bench.builder.markAllUnwritten()
            #expect(bench.builder.hasUnwritten)
            var again = WrittenMinutes()
            while let taken = bench.builder.dequeueUnwritten(rowsMax: 7) {
                again.write(taken)
                bench.written.write(taken)
            }
            #expect(bench.written.candles == before.candles, "seed \(seed)")
            #expect(again.covered.isSubset(of: before.covered))
            #expect(bench.builder.unwrittenRows == 0)
        }
    }

    @Test(
        "after hours without a store the newest sixty minutes are written, the others counted"
    )
    func isBounded() {
        for seed in UInt64(300)..<310 {
            var bench = Bench(seed: seed)
            bench.apply(bench.stream.subscribe())
            var waited = 0
            for _ in 0..<180 {
                bench.apply(bench.stream.advance(by: .seconds(60)))
                waited = max(waited, bench.builder.unwrittenRows)
            }
            bench.apply(bench.stream.tick())
            #expect(waited <= MinuteCandleBuilder.minutesMax * MinuteStream.markets.count)
            bench.writeAll()
            let truth = bench.stream.candles()
            let kept = Set(bench.written.rows.values.flatMap(\.keys))
            #expect(kept.count == MinuteCandleBuilder.minutesMax, "seed \(seed)")
            for market in MinuteStream.markets {
                let covered =
                    truth[market]?.filter { bench.written.covered.contains($0.key) } ?? [:]
                #expect(bench.written.candles[market] ?? [:] == covered, "seed \(seed)")
            }
            let given = truth.values.joined().count { openTime, _ in
                bench.stream.knowable.contains(openTime)
                    && !bench.written.covered.contains(openTime)
            }
            #expect(given > 0)
            #expect(bench.builder.droppedRows == given, "seed \(seed)")
        }
    }
}
