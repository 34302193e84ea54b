import Domain
import ViewStates
import TestSupport

@testable import PresentationTerminal

/// Charts and ways to draw them.
enum ChartSamples {
    /// 2026-11-20, a Friday, 00:00 in Seoul.
    static let day = SeoulTime.timestamp(year: 2026, month: 11, day: 20)
    static let ready = Samples.health()

    static func decimal(_ text: String) -> FixedDecimal {
        (try? FixedDecimal(parsing: text)) ?? .zero
    }

    /// A candle from the texts of its prices and volume.
    static func candle(
        _ openTime: Timestamp,
        _ open: String,
        _ high: String,
        _ low: String,
        _ close: String,
        volume: String = "1",
        closed: Bool = true
    ) -> ChartViewState.Candle {
        candle(
            openTime,
            decimal(open),
            decimal(high),
            decimal(low),
            decimal(close),
            volume: decimal(volume),
            closed: closed
        )
    }

    static func candle(
        _ openTime: Timestamp,
        _ open: FixedDecimal,
        _ high: FixedDecimal,
        _ low: FixedDecimal,
        _ close: FixedDecimal,
        volume: FixedDecimal,
        closed: Bool = true
    ) -> ChartViewState.Candle {
        ChartViewState.Candle(
            openTime: openTime,
            open: open,
            high: high,
            low: low,
            close: close,
            volume: volume,
            origin: .rest,
            corrected: false,
            closed: closed,
            priceDirection: close == open ? .flat : (close > open ? .up : .down)
        )
    }

    /// Ten days up to 20 November: rises, falls, one with wicks only, one without a range.
    static let few: [ChartViewState.Candle] = {
        let figures: [(String, String, String, String, String)] = [
            ("3400", "3460", "3390", "3450", "120"), ("3450", "3480", "3440", "3445", "80"),
            ("3445", "3450", "3350", "3360", "200"), ("3360", "3400", "3320", "3360", "40.5"),
            ("3360", "3420", "3355", "3410", "60"), ("3410", "3410", "3410", "3410", "1"),
            ("3410", "3530", "3405", "3520", "310.25"), ("3520", "3560", "3500", "3540", "150"),
            ("3540", "3545", "3470", "3480", "90"), ("3480", "3510", "3475", "3505", "45.1234"),
        ]
        return figures.enumerated().map { index, figure in
            candle(
                CandleInterval.day1.advanced(day, by: index - 9),
                figure.0,
                figure.1,
                figure.2,
                figure.3,
                volume: figure.4,
                closed: index < 9
            )
        }
    }()

    /// Ten days without the fourth, which had no trades, and the sixth and seventh, whose trades
    /// were lost.
    static let holed = chart(
        [0, 1, 2, 4, 7, 8, 9].map { few[$0] },
        gaps: [
            GapViewState(from: few[3].openTime, to: few[4].openTime, reason: .noTrade),
            GapViewState(from: few[5].openTime, to: few[7].openTime, reason: .missing),
        ]
    )

    /// Twenty days of candles and nothing else.
    static let plainOptions: ChartPaneOptions = {
        var options = ChartPaneOptions(span: span(20))
        options.averages = []
        options.showsVolume = false
        return options
    }()

    /// Sixty trades, newest first, one every two seconds until 21:03:58.
    static let trades: TradesViewState = {
        let first = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 21, minute: 2)
        let prices: [Int64] = (0..<60).map { 3_500 + [0, 2, 5, 3, 9, 4][$0 % 6] + Int64($0 / 6) }
        let rows = prices.enumerated().map { index, price in
            trade(
                first.advanced(by: .seconds(index * 2)),
                FixedDecimal(price),
                after: index == 0 ? nil : FixedDecimal(prices[index - 1])
            )
        }
        return TradesViewState(health: ready, rows: rows.reversed(), dropped: 0, gaps: [])
    }()

    static func trade(
        _ time: Timestamp,
        _ price: FixedDecimal,
        after: FixedDecimal?
    ) -> TradesViewState.Row {
        TradesViewState.Row(
            id: "",
            at: time,
            timeText: "",
            price: price,
            priceText: "",
            quantity: .one,
            quantityText: "",
            amount: price,
            amountText: "",
            side: .buy,
            tickDirection: after.map { $0 == price ? .flat : ($0 < price ? .up : .down) }
        )
    }

    /// A chart with the averages of its candles.
    static func chart(
        _ candles: [ChartViewState.Candle],
        _ interval: CandleInterval = .day1,
        lastPrice: FixedDecimal? = nil,
        gaps: [GapViewState] = [],
        health: HealthViewState = ready
    ) -> ChartViewState {
        func average(_ values: [FixedDecimal], _ window: Int, at index: Int) -> FixedDecimal? {
            guard index + 1 >= window else { return nil }
            let sum = values[(index + 1 - window)...index].reduce(0) { $0 + $1.units / 128 }
            return FixedDecimal(units: sum / Int128(window) * 128)
        }
        let (closes, volumes) = (candles.map(\.close), candles.map(\.volume))
        return ChartViewState(
            health: health,
            interval: interval.rawValue,
            lastPrice: lastPrice ?? candles.last?.close,
            candles: candles.enumerated().map { index, candle in
                var candle = candle
                candle.averages = CandleAverages(windows: CandleSeries.averageWindows) {
                    average($0 == .close ? closes : volumes, $1, at: index)
                }
                return candle
            },
            range: nil,
            gaps: gaps
        )
    }

    /// Buckets up to and including that of a moment.
    static func span(
        _ buckets: Int,
        through time: Timestamp = day,
        _ interval: CandleInterval = .day1
    ) -> Range<Timestamp> {
        let last = interval.bucketStart(of: time)
        return interval.advanced(last, by: 1 - buckets)..<interval.nextBucket(after: last)
    }

    /// A walk of prices that is the same for the same seed.
    static func walk(
        _ count: Int,
        from price: Int64,
        step: Int64,
        seed: UInt64,
        _ interval: CandleInterval = .day1,
        through time: Timestamp = day
    ) -> [ChartViewState.Candle] {
        var generator = SeededGenerator(seed: seed)
        var close = price
        let last = interval.bucketStart(of: time)
        return (0..<count).map { index in
            let open = close
            close = max(open + Int64.random(in: -step...step, using: &generator), step)
            let high = max(open, close) + Int64.random(in: 0...step, using: &generator)
            let low = max(
                min(open, close) - Int64.random(in: 0...step, using: &generator),
                step / 2
            )
            return candle(
                interval.advanced(last, by: index + 1 - count),
                FixedDecimal(open),
                FixedDecimal(high),
                FixedDecimal(low),
                FixedDecimal(close),
                volume: FixedDecimal(
                    units: Int128(Int64.random(in: 1_000...900_000, using: &generator))
                        * FixedDecimal.unitsPerOne / 1_000
                ),
                closed: index + 1 < count
            )
        }
    }

    /// A frame with the chart only.
    static func frame(
        _ chart: ChartViewState,
        _ options: ChartPaneOptions,
        trades: TradesViewState? = nil,
        quote: Quote = .krw,
        columns: Int,
        rows: Int,
        colors: ColorDepth = .trueColor,
        theme: Theme? = nil,
        language: Language = .korean
    ) -> Frame {
        var frame = Frame(size: TerminalSize(columns: columns, rows: rows))
        ChartPane.draw(
            chart: chart,
            trades: trades,
            options: options,
            quote: quote,
            theme: theme ?? Theme(colors: colors),
            language: language,
            into: &frame,
            area: FrameArea(frame.size)
        )
        return frame
    }
}
