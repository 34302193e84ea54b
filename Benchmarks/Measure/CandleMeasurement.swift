import Domain

/// Adds trades to candles while copies are taken, and reads averages from short and long series.
enum CandleMeasurement {
    static let candles = Measurement(name: "candles") {
        measureTrades()
        measureAverages()
    }

    private static let market: MarketID = {
        guard let market = MarketID(symbol: "BTC", quote: .krw) else {
            preconditionFailure("BTC is a coin code")
        }
        return market
    }()
    private static let start = SeoulTime.timestamp(year: 2026, month: 1, day: 1)
    private static let tradeCount = 1_000_000
    private static let candleCount = 5_000

    private static func candle(_ index: Int) -> Candle {
        let price = FixedDecimal(Int64(143_000_000 + index * 7_919 % 1_000_003))
        return Candle(
            openTime: CandleInterval.minute1.advanced(start, by: index),
            open: price,
            high: price,
            low: price,
            close: price,
            volume: FixedDecimal(units: Int128(index % 89 + 1) * FixedDecimal.unitsPerOne / 10_000),
            origin: .rest
        )
    }

    private static func series(_ count: Int) -> CandleSeries {
        let end = CandleInterval.minute1.advanced(start, by: count)
        var series = CandleSeries(interval: .minute1)
        series.apply(
            CandlePage(
                market: market,
                interval: .minute1,
                candles: (0..<count).map(candle),
                requestedAt: end,
                answeredAt: end
            ),
            tape: TradeTape()
        )
        return series
    }

    /// One trade each 60 ms, so that a bucket closes with every thousandth, and a copy is taken
    /// then.
    private static func measureTrades() {
        let filled = series(candleCount)
        let end = CandleInterval.minute1.advanced(start, by: candleCount)
        var trades: [Trade] = []
        for index in 0..<tradeCount {
            trades.append(
                Trade(
                    market: market,
                    price: FixedDecimal(Int64(143_000_000 + index % 1_009)),
                    quantity: FixedDecimal(units: FixedDecimal.unitsPerOne / 1_000),
                    side: .buy,
                    executedAt: end.advanced(by: .milliseconds(60 * index + 4_000))
                )
            )
        }
        var kept = filled
        let seriesTime = Measurement.median(of: 5) {
            var series = filled
            for (index, trade) in trades.enumerated() {
                series.apply(trade)
                if index % 1_000 == 0 { kept = series }
            }
        }
        var keptTape = TradeTape()
        let tapeTime = Measurement.median(of: 5) {
            var tape = TradeTape()
            for (index, trade) in trades.enumerated() {
                tape.append(trade)
                if index % 10 == 0 { keptTape = tape }
            }
        }
        print(
            "candles: \(rate(seriesTime)) trades/s into a series of \(candleCount),",
            "copied at each 1,000th (\(kept.count) candles in the last copy)"
        )
        print(
            "candles: \(rate(tapeTime)) trades/s onto a tape,",
            "copied at each 10th (\(keptTape.count) trades in the last copy)"
        )
    }

    private static func measureAverages() {
        let short = timeOfWindow(500)
        let long = timeOfWindow(50_000)
        let ratio = Double(nanoseconds(long)) / Double(nanoseconds(short))
        print(
            "candles: 200 with all averages in \(nanoseconds(short) / 1_000) µs of 500,",
            "\(nanoseconds(long) / 1_000) µs of 50,000: ratio \((ratio * 100).rounded() / 100)"
        )
    }

    private static func timeOfWindow(_ count: Int) -> Duration {
        let series = series(count)
        let repeats = 20
        var total: Int128 = 0
        let time = Measurement.median {
            for _ in 0..<repeats {
                for index in (count - 200)..<count {
                    total &+= series[index].close.units
                    for window in CandleSeries.averageWindows {
                        for measure in CandleSeries.Measure.allCases {
                            let mean = series.average(measure, window: window, at: index)
                            total &+= mean?.units ?? 0
                        }
                    }
                }
            }
        }
        precondition(total != 0, "the averages were not read")
        return time / repeats
    }

    private static func nanoseconds(_ duration: Duration) -> Int {
        Int(duration / .nanoseconds(1))
    }

    private static func rate(_ time: Duration) -> String {
        let perSecond = Double(tradeCount) / (time / .seconds(1))
        return "\((perSecond / 100_000).rounded() / 10) M"
    }
}
