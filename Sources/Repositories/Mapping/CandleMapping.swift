import DataSourceContracts
import Domain

/// Maps a response of `candlestick` to a page of candles.
enum CandleMapping {
    /// Maps a response; the page orders its rows.
    ///
    /// Buckets that open after the response are skipped.
    ///
    /// - Parameters:
    ///   - dto: the decoded response.
    ///   - market: the requested market.
    ///   - interval: the requested interval; shorter rows are aggregated to it.
    ///   - requestedAt: when it was requested, in exchange time.
    ///   - answeredAt: when it arrived, in exchange time.
    ///   - limit: the latest plausible time; nil for no limit.
    /// - Returns: the page, and the number of skipped rows with impossible numbers.
    static func page(
        _ dto: CandlesDTO,
        of market: MarketID,
        interval: CandleInterval,
        requestedAt: Timestamp,
        answeredAt: Timestamp,
        notAfter limit: Timestamp?
    ) -> (page: CandlePage, skipped: Int) {
        let candles = dto.rows.compactMap { row in
            candle(row).flatMap { candle in
                interval.bucketStart(of: candle.openTime) <= limit ?? candle.openTime ? candle : nil
            }
        }
        let skipped = dto.skippedCount + dto.rows.count - candles.count
        let rowInterval = dto.interval.flatMap(CandleInterval.init(rawValue:)) ?? interval
        let page = CandlePage(
            market: market,
            interval: rowInterval,
            candles: candles,
            requestedAt: requestedAt,
            answeredAt: answeredAt
        )
        return (rowInterval == interval ? page : aggregated(page, to: interval), skipped)
    }

    /// The page in longer candles, without an oldest one whose beginning is not among the rows.
    private static func aggregated(_ page: CandlePage, to interval: CandleInterval) -> CandlePage {
        guard let oldest = page.candles.first?.openTime else { return page.folded(to: interval) }
        let start = interval.bucketStart(of: oldest)
        let first = start == oldest ? start : interval.nextBucket(after: start)
        let whole = page.candles.filter { $0.openTime >= first }
        return CandlePage(
            market: page.market,
            interval: page.interval,
            candles: whole,
            requestedAt: page.requestedAt,
            answeredAt: page.answeredAt
        )
        .folded(to: interval)
    }

    private static func candle(_ row: CandleDTO) -> Candle? {
        guard ExchangeDates.milliseconds.contains(row.atMilliseconds),
            let open = price(row.open), let high = price(row.high), let low = price(row.low),
            let close = price(row.close),
            let volume = try? FixedDecimal(row.volume), volume.sign >= 0,
            // Only the first price of a new listing may lie outside.
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
