import Domain
import TestSupport

/// Reference model of candles and averages, from their definitions.
enum NaiveCandles {
    /// The bucket by the wall clock, in days and minutes.
    static func bucketStart(of moment: Timestamp, _ interval: CandleInterval) -> Timestamp {
        let wall = SeoulTime(moment)
        let midnight = SeoulTime.startOfDay(wall.day)
        func sinceMidnight(_ minutes: Int) -> Timestamp {
            let minute = wall.clock.hour * 60 + wall.clock.minute
            return midnight.advanced(by: .seconds(minute / minutes * minutes * 60))
        }
        switch interval {
        case .minute1: return sinceMidnight(1)
        case .minutes3: return sinceMidnight(3)
        case .minutes5: return sinceMidnight(5)
        case .minutes10: return sinceMidnight(10)
        case .minutes30: return sinceMidnight(30)
        case .hour1: return sinceMidnight(60)
        case .hours6: return sinceMidnight(360)
        case .hours12: return sinceMidnight(720)
        case .day1: return midnight
        case .week1:
            // 2024-01-01 was a Monday.
            var day = wall.day
            while (day - SeoulTime.day(year: 2024, month: 1, day: 1)) % 7 != 0 { day -= 1 }
            return SeoulTime.startOfDay(day)
        case .month1:
            return SeoulTime.timestamp(year: wall.civil.year, month: wall.civil.month, day: 1)
        }
    }

    /// The candles of trades, given in order of time.
    static func candles(of trades: [Trade], _ interval: CandleInterval) -> [Candle] {
        var candles: [Candle] = []
        for trade in trades {
            let openTime = bucketStart(of: trade.executedAt, interval)
            if var candle = candles.last, candle.openTime == openTime {
                candle.high = max(candle.high, trade.price)
                candle.low = min(candle.low, trade.price)
                candle.close = trade.price
                candle.volume = FixedDecimal(units: candle.volume.units + trade.quantity.units)
                candles[candles.count - 1] = candle
            } else {
                candles.append(
                    Candle(
                        openTime: openTime,
                        open: trade.price,
                        high: trade.price,
                        low: trade.price,
                        close: trade.price,
                        volume: trade.quantity,
                        origin: .live
                    )
                )
            }
        }
        return candles
    }

    /// The mean of the newest `window` candles up to an index.
    static func average(
        _ measure: CandleSeries.Measure,
        _ window: Int,
        at index: Int,
        in candles: [Candle]
    ) throws -> FixedDecimal? {
        guard index >= window - 1 else { return nil }
        let values = candles[(index - window + 1)...index].map {
            measure == .close ? $0.close : $0.volume
        }
        let sum = try values.reduce(FixedDecimal.zero) { try $0 + $1 }
        return try sum.divided(by: FixedDecimal(Int64(window)), rounding: .halfEven)
    }
}

/// The five numbers of a candle and its bucket, whatever its origin.
struct CandleNumbers: Equatable, CustomStringConvertible {
    let openTime: Timestamp
    let numbers: [FixedDecimal]

    init(_ candle: Candle) {
        openTime = candle.openTime
        numbers = [candle.open, candle.high, candle.low, candle.close, candle.volume]
    }

    var description: String { "\(openTime.microseconds) \(numbers)" }
}

extension Sequence<Candle> {
    /// The numbers of all candles.
    var numbers: [CandleNumbers] { map(CandleNumbers.init) }
}
