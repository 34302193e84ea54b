import Domain

/// Prints the indicators of closes that are read from standard input, one a line, for
/// `scripts/check-indicators`: comma-separated values for each close, empty where unknown.
enum IndicatorTable {
    /// Returns false if a line is not a number.
    static func run() -> Bool {
        let start = SeoulTime.timestamp(year: 2026, month: 1, day: 1)
        var candles: [Candle] = []
        while let line = readLine() {
            guard let close = try? FixedDecimal(parsing: line) else {
                print("'\(line)' is not a number")
                return false
            }
            candles.append(
                Candle(
                    openTime: CandleInterval.minute1.advanced(start, by: candles.count),
                    open: close,
                    high: close,
                    low: close,
                    close: close,
                    volume: .one,
                    origin: .rest
                )
            )
        }
        guard let market = MarketID(symbol: "BTC", quote: .krw) else { return false }
        let end = CandleInterval.minute1.advanced(start, by: candles.count)
        var series = CandleSeries(interval: .minute1)
        series.apply(
            CandlePage(
                market: market,
                interval: .minute1,
                candles: candles,
                requestedAt: end,
                answeredAt: end
            ),
            tape: TradeTape()
        )
        print("sma20,ema12,ema26,rsi14,macd,signal,histogram,upper,lower")
        write(series)
        return true
    }

    private static func write(_ series: CandleSeries) {
        var (fast, slow) = (ExponentialAverage(window: 12), ExponentialAverage(window: 26))
        var (strength, macd) = (RelativeStrengthIndex(), MACD())
        for (index, candle) in series.enumerated() {
            let convergence = macd.add(candle.close)
            let bands = series.bollingerBands(at: index)
            let values = [
                series.average(.close, window: 20, at: index), fast.add(candle.close),
                slow.add(candle.close), strength.add(candle.close), convergence?.line,
                convergence?.signal, convergence?.histogram, bands?.upper, bands?.lower,
            ]
            print(values.map { $0?.canonicalText ?? "" }.joined(separator: ","))
        }
    }
}
