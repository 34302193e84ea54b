import Domain
import TestSupport
import Testing

@Suite("Candle series: live trades")
struct CandleSeriesTests {
    /// Trades from a Sunday to a Tuesday, across a month's end, and in ever longer steps into the
    /// next years.
    static func trades(seed: UInt64, kinds: Int64? = 5) -> [Trade] {
        let start = SeoulTime.timestamp(year: 2026, month: 11, day: 29, hour: 23, minute: 50)
        var random = RandomTrades(seed: seed, from: start)
        let steps: [(Int, Duration)] = [
            (300, .seconds(5)), (200, .seconds(120)), (100, .seconds(3_600)),
            (100, .seconds(40_000)), (60, .seconds(400_000)), (20, .seconds(4_000_000)),
        ]
        return steps.flatMap { random.list($0.0, within: $0.1, kinds: kinds) }
    }

    @Test(
        "candles equal those of the full list of trades, across days, weeks and months",
        arguments: CandleInterval.allCases
    )
    func naive(interval: CandleInterval) throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            let trades = Self.trades(seed: seed)
            var series = CandleSeries(interval: interval)
            for trade in trades { series.apply(trade) }
            let naive = NaiveCandles.candles(of: trades, interval)
            #expect(series.numbers == naive.numbers)
            #expect(series.allSatisfy { $0.origin == .live && !$0.isCorrected })
            #expect(series.dropped == 0)
            try expectAverages(of: series)
        }
    }

    @Test(
        "late trades give the same candles as trades in order",
        arguments: CandleInterval.allCases
    )
    func late(interval: CandleInterval) throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var random = RandomTrades(seed: seed)
            let trades = random.list(600, within: .seconds(40))
            // No trade is more than a few buckets late.
            var arrivals = trades
            for index in arrivals.indices.dropLast(3) where Bool.random(using: &random.generator) {
                arrivals.swapAt(index, index + Int.random(in: 0...3, using: &random.generator))
            }
            var series = CandleSeries(interval: interval)
            for trade in arrivals { series.apply(trade) }
            #expect(series.numbers == NaiveCandles.candles(of: trades, interval).numbers)
            #expect(series.dropped == 0)
            try expectAverages(of: series)
        }
    }

    @Test("trades that are too late are counted and change nothing")
    func tooLate() {
        var series = CandleSeries(interval: .minute1)
        series.apply(Trade("BTC_KRW", price: "5", at: .noon(0)))
        series.apply(Trade("BTC_KRW", price: "6", at: .noon(540)))
        series.apply(Trade("BTC_KRW", price: "7", at: .noon(30)))
        #expect(series.dropped == 1)
        #expect(series.map(\.close) == ["5", "6"])
        // Eight buckets are not too late, even without a candle.
        series.apply(Trade("BTC_KRW", price: "8", at: .noon(60)))
        #expect(series.map(\.close) == ["5", "8", "6"])
        #expect(series.average(.close, window: 3, at: 2) == "6.333333333333333333")
    }

    @Test("each trade opens its own bucket, also after several empty ones")
    func pause() {
        var series = CandleSeries(interval: .minutes10)
        series.apply(Trade("BTC_KRW", price: "5", at: .noon(1)))
        series.apply(Trade("BTC_KRW", price: "9", at: .noon(2_999)))
        series.apply(Trade("BTC_KRW", price: "8", at: .noon(3_000)))
        #expect(series.map(\.openTime) == [.noon(0), .noon(2_400), .noon(3_000)])
        #expect(series.map(\.open) == ["5", "9", "8"])
    }

    @Test("a new series is empty")
    func empty() {
        let series = CandleSeries(interval: .day1)
        #expect(series.isEmpty && !series.isLoaded && series.finalUntil == nil)
        #expect(series.index(openingAtOrAfter: .noon()) == 0)
        #expect(series.index(opening: .noon()) == nil)
        #expect(series.average(.close, window: 1, at: 0) == nil)
        #expect(series.gaps(in: .noon(0)..<(.noon(9)), known: .noon(9)).isEmpty)
    }

    @Test("a single candle and equal prices have correct averages")
    func equal() {
        var series = CandleSeries(interval: .minute1)
        for index in 0..<130 {
            series.apply(Trade("BTC_KRW", price: "0.0001", at: .noon(index * 60)))
            #expect(series.last?.high == series.last?.low)
            for window in CandleSeries.averageWindows {
                let isAvailable = index >= window - 1
                let close = series.average(.close, window: window, at: index)
                let volume = series.average(.volume, window: window, at: index)
                #expect(close == (isAvailable ? "0.0001" : nil))
                #expect(volume == (isAvailable ? .one : nil))
            }
        }
        #expect(series.average(.close, window: 0, at: 5) == nil)
        #expect(series.average(.close, window: 5, at: 130) == nil)
        #expect(series.average(.close, window: 5, at: -1) == nil)
    }

    @Test("a copy does not change with the original")
    func copies() {
        var series = CandleSeries(interval: .minute1)
        var copies: [(CandleSeries, [Candle])] = []
        for (index, trade) in Self.trades(seed: 9).enumerated() {
            series.apply(trade)
            if index % 37 == 0 { copies.append((series, Array(series))) }
        }
        for (copy, candles) in copies { #expect(Array(copy) == candles) }
    }

    @Test("a full series evicts its oldest candles")
    func bound() throws {
        var series = CandleSeries(interval: .minute1)
        for index in 0..<(CandleSeries.candlesMax + 100) {
            series.apply(
                Trade("BTC_KRW", price: FixedDecimal(Int64(index + 1)), at: .noon(index * 60))
            )
        }
        #expect(series.count == CandleSeries.candlesMax)
        #expect(series.first?.close == "101")
        #expect(series.average(.close, window: 5, at: 3) == nil)
        #expect(series.average(.close, window: 5, at: 4) == "103")
        let last = series.count - 1
        #expect(series.average(.close, window: 120, at: last) == "60040.5")
        #expect(series.index(opening: .noon(100 * 60)) == 0)
        #expect(series.index(openingAtOrAfter: .noon(0)) == 0)
        #expect(series.index(openingAtOrAfter: .noon(60_099 * 60)) == last)
        #expect(series.index(openingAtOrAfter: .noon(60_099 * 60 + 1)) == last + 1)
    }
}

/// Compares every average with the sum of its candles.
func expectAverages(of series: CandleSeries, _ windows: [Int] = [1, 5, 10, 20, 60, 120]) throws {
    let candles = Array(series)
    for measure in CandleSeries.Measure.allCases {
        for window in windows {
            for index in candles.indices {
                let naive = try NaiveCandles.average(measure, window, at: index, in: candles)
                guard series.average(measure, window: window, at: index) == naive else {
                    Issue.record("\(measure) of \(window) at \(index) is not \(naive as Any)")
                    return
                }
            }
        }
    }
}

@Suite("Candle series: gaps")
struct CandleGapTests {
    private static func series(_ minutes: [Int]) -> CandleSeries {
        var series = CandleSeries(interval: .minute1)
        for minute in minutes { series.apply(Trade("BTC_KRW", price: "5", at: .noon(minute * 60))) }
        return series
    }

    private static func gap(_ from: Int, _ to: Int, _ reason: CandleGap.Reason) -> CandleGap {
        CandleGap(from: .noon(from), to: .noon(to), reason: reason)
    }

    @Test("buckets without a candle are gaps without trades, as wide as possible")
    func noTrade() {
        let series = Self.series([1, 2, 5, 9])
        let all: Range<Timestamp> = .noon(-999)..<(.noon(9_999))
        #expect(
            series.gaps(in: all, known: .noon(700)) == [
                Self.gap(180, 300, .noTrade), Self.gap(360, 540, .noTrade),
                Self.gap(600, 700, .noTrade),
            ]
        )
        #expect(series.gaps(in: all, known: .noon(599)).count == 2)
        #expect(
            series.gaps(in: .noon(215)..<(.noon(400)), known: .noon(700)) == [
                Self.gap(180, 300, .noTrade), Self.gap(360, 400, .noTrade),
            ]
        )
        #expect(series.gaps(in: .noon(65)..<(.noon(120)), known: .noon(700)).isEmpty)
        #expect(series.gaps(in: .noon(0)..<(.noon(60)), known: .noon(700)).isEmpty)
    }

    @Test("gaps from a loss to the next trade are missing data")
    func missing() {
        var series = Self.series([1, 2])
        series.markLoss(from: .noon(275))
        #expect(!series.isLoaded)
        let all: Range<Timestamp> = .noon(0)..<(.noon(9_999))
        #expect(
            series.gaps(in: all, known: .noon(700)) == [
                Self.gap(180, 240, .noTrade), Self.gap(240, 700, .missing),
            ]
        )
        series.apply(Trade("BTC_KRW", price: "5", at: .noon(480)))
        series.apply(Trade("BTC_KRW", price: "5", at: .noon(660)))
        #expect(
            series.gaps(in: all, known: .noon(700)) == [
                Self.gap(180, 240, .noTrade), Self.gap(240, 480, .missing),
                Self.gap(540, 660, .noTrade),
            ]
        )
    }

    @Test("a page that was requested before a loss was noted does not end the loss")
    func earlyPage() {
        var series = Self.series([1, 2])
        series.markLoss(from: .noon(275), notedAt: .noon(290))
        for (second, isLoaded) in [(285, false), (289, false), (290, true)] {
            let page = CandlePage(
                market: "BTC_KRW",
                interval: .minute1,
                candles: [],
                requestedAt: .noon(second),
                answeredAt: .noon(second)
            )
            series.apply(page, tape: TradeTape())
            #expect(series.isLoaded == isLoaded)
        }
    }

    @Test(
        "gaps cover each empty bucket once, whatever the interval",
        arguments: CandleInterval.allCases
    )
    func cover(interval: CandleInterval) throws {
        var series = CandleSeries(interval: interval)
        for trade in CandleSeriesTests.trades(seed: 3) { series.apply(trade) }
        let first = try #require(series.first?.openTime)
        let known = try #require(series.last?.openTime).advanced(by: .seconds(1))
        let gaps = series.gaps(in: first..<known, known: known)
        let buckets = interval.bucketCount(from: first, to: known) + 1
        let empty = gaps.map { interval.bucketCount(from: $0.from, to: $0.to) }.reduce(0, +)
        #expect(empty + series.count == buckets)
        #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0.to < $1.from })
    }
}
