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
        if rowInterval == interval { return (page, skipped) }
        return (page.folded(to: interval, isTruncated: dto.isTruncated != false), skipped)
    }

    /// Maps a response with the rows of a block.
    ///
    /// - Returns: the candles of the block, the same as a page of the interval that the exchange
    ///   serves, and the number of skipped rows with impossible numbers.
    static func page(
        _ dto: CandlesDTO,
        of market: MarketID,
        block: CandleBlock,
        requestedAt: Timestamp,
        answeredAt: Timestamp
    ) -> (page: CandleBlockPage, served: CandlePage, skipped: Int) {
        let rowInterval = dto.interval.flatMap(CandleInterval.init(rawValue:))
        let (rows, skipped) = page(
            dto,
            of: market,
            interval: rowInterval ?? block.interval.served,
            requestedAt: requestedAt,
            answeredAt: answeredAt,
            notAfter: nil
        )
        // All rows of the block were read, so that its first candle is whole. Its last page may
        // reach beyond it.
        let served = CandlePage(
            market: market,
            interval: block.interval.served,
            candles: rows.folded(to: block.interval.served).candles
                .filter { block.start <= $0.openTime && $0.openTime < block.end },
            requestedAt: requestedAt,
            answeredAt: answeredAt,
            spans: [block.start..<block.end]
        )
        let hasOlder = rows.candles.first.map { $0.openTime < block.start } ?? false
        let blockPage = CandleBlockPage(
            market: market,
            block: block,
            candles: served.folded(to: block.interval).candles,
            isBeginning: dto.isTruncated == false && !hasOlder && skipped == 0
        )
        return (blockPage, served, skipped)
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

extension CandlePage {
    /// The page in longer candles; if older rows exist, without an oldest candle whose beginning is
    /// not among the rows.
    func folded(to longer: CandleInterval, isTruncated: Bool) -> CandlePage {
        guard isTruncated, let oldest = candles.first?.openTime else { return folded(to: longer) }
        let start = longer.bucketStart(of: oldest)
        let first = start == oldest ? start : longer.nextBucket(after: start)
        var page = CandlePage(
            market: market,
            interval: interval,
            candles: candles.filter { $0.openTime >= first },
            requestedAt: requestedAt,
            answeredAt: answeredAt
        )
        page.isNewestPart = isNewestPart
        return page.folded(to: longer)
    }
}
