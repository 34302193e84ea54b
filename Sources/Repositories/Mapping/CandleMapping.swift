import DataSources
import Domain

/// Turns an answer of `candlestick` into a page of candles.
enum CandleMapping {
    /// The times that an exchange can mean: 2000 to 2100.
    private static let dates: Range<Int64> = 946_684_800_000..<4_102_444_800_000

    /// Maps an answer.
    ///
    /// The exchange stamps the running row with the time of the answer, and repeats rows: each row
    /// goes to the bucket that its time lies in, and of several in one bucket the last one stays.
    /// Buckets that open after the answer cannot be.
    ///
    /// - Parameters:
    ///   - dto: the decoded answer.
    ///   - market: the market it was asked for.
    ///   - interval: the interval it was asked for.
    ///   - askedAt: when it was asked for, in exchange time.
    ///   - answeredAt: when it came, in exchange time.
    ///   - limit: the latest time that can be; nil sets no limit.
    /// - Returns: the page, and how many rows were left out because a number cannot be.
    static func page(
        _ dto: CandlesDTO,
        of market: MarketID,
        interval: CandleInterval,
        askedAt: Timestamp,
        answeredAt: Timestamp,
        notAfter limit: Timestamp?
    ) -> (page: CandlePage, skipped: Int) {
        var candles: [Candle] = []
        candles.reserveCapacity(dto.rows.count)
        var skipped = dto.skippedCount
        var isInOrder = true
        for row in dto.rows {
            guard let candle = candle(row, interval), candle.openTime <= limit ?? candle.openTime
            else {
                skipped += 1
                continue
            }
            guard let last = candles.last else {
                candles.append(candle)
                continue
            }
            if last.openTime == candle.openTime {
                candles[candles.count - 1] = candle
            } else {
                isInOrder = isInOrder && last.openTime < candle.openTime
                candles.append(candle)
            }
        }
        let page = CandlePage(
            market: market,
            interval: interval,
            candles: isInOrder ? candles : ordered(candles),
            requestedAt: askedAt,
            answeredAt: answeredAt
        )
        return (page, skipped)
    }

    /// The exchange's rows ascend; this is for the day on which they do not.
    private static func ordered(_ candles: [Candle]) -> [Candle] {
        var byTime: [Timestamp: Candle] = [:]
        for candle in candles { byTime[candle.openTime] = candle }
        return byTime.values.sorted { $0.openTime < $1.openTime }
    }

    private static func candle(_ row: CandleDTO, _ interval: CandleInterval) -> Candle? {
        guard dates.contains(row.atMilliseconds),
            let open = price(row.open), let high = price(row.high), let low = price(row.low),
            let close = price(row.close),
            let volume = try? FixedDecimal(row.volume), volume.sign >= 0,
            // Only a first price may lie outside: that of a new listing does.
            low <= close, close <= high
        else { return nil }
        return Candle(
            openTime: interval.bucketStart(of: Timestamp(milliseconds: row.atMilliseconds)),
            open: open,
            high: high,
            low: low,
            close: close,
            volume: volume,
            origin: .rest
        )
    }

    private static func price(_ wire: WireDecimal) -> FixedDecimal? {
        guard let price = try? FixedDecimal(wire), price.sign > 0 else { return nil }
        return price
    }
}
