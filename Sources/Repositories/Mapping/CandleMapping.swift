import DataSourceContracts
import Domain

/// Turns an answer of `candlestick` into a page of candles.
enum CandleMapping {
    /// Maps an answer.
    ///
    /// Buckets that open after the answer cannot be. The page puts its rows in order.
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
        let candles = dto.rows.compactMap { row in
            candle(row).flatMap { candle in
                interval.bucketStart(of: candle.openTime) <= limit ?? candle.openTime ? candle : nil
            }
        }
        let skipped = dto.skippedCount + dto.rows.count - candles.count
        let page = CandlePage(
            market: market,
            interval: interval,
            candles: candles,
            requestedAt: askedAt,
            answeredAt: answeredAt
        )
        return (page, skipped)
    }

    private static func candle(_ row: CandleDTO) -> Candle? {
        guard ExchangeDates.milliseconds.contains(row.atMilliseconds),
            let open = price(row.open), let high = price(row.high), let low = price(row.low),
            let close = price(row.close),
            let volume = try? FixedDecimal(row.volume), volume.sign >= 0,
            // Only a first price may lie outside: that of a new listing does.
            low <= close, close <= high
        else { return nil }
        return Candle(
            openTime: Timestamp(milliseconds: row.atMilliseconds),
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
