import DataSourceContracts
import Domain

/// Maps candles to the rows of a store, and back.
enum StoredCandleMapping {
    /// How long after its end a bucket without a later row counts as complete: the exchange's REST
    /// responses lag behind its trades by a few seconds.
    static let settling: Duration = .seconds(10)

    /// The complete rows and the span of a REST page.
    ///
    /// The running candle is left out, and the last one while trades may be missing: a later page
    /// holds them complete.
    ///
    /// - Parameters:
    ///   - page: candles of REST, of an interval that the exchange serves.
    ///   - oldest: the start of the retention; nil stores all.
    /// - Returns: nil without a complete row.
    static func rows(
        _ page: CandlePage,
        since oldest: Timestamp?
    ) -> (rows: [StoredCandlesDTO.Row], span: StoredCandlesDTO.Span)? {
        if let span = page.spans.first { return rows(page, of: span, since: oldest) }
        let kept = page.candles.drop { candle in oldest.map { candle.openTime < $0 } ?? false }
        guard let first = kept.first, let last = kept.last else { return nil }
        var end = page.interval.bucketStart(of: page.requestedAt)
        if last.openTime < end {
            let settledAt = page.interval.nextBucket(after: last.openTime).advanced(by: settling)
            if page.requestedAt < settledAt { end = last.openTime }
        }
        guard first.openTime < end else { return nil }
        return rows(page, of: first.openTime..<end, since: nil)
    }

    /// The rows and the span of complete candles that open in a span.
    private static func rows(
        _ page: CandlePage,
        of span: Range<Timestamp>,
        since oldest: Timestamp?
    ) -> (rows: [StoredCandlesDTO.Row], span: StoredCandlesDTO.Span)? {
        var from = span.lowerBound
        if let oldest, from < oldest {
            let start = page.interval.bucketStart(of: oldest)
            from = start == oldest ? start : page.interval.nextBucket(after: start)
        }
        guard from < span.upperBound else { return nil }
        let rows = page.candles.filter { from <= $0.openTime && $0.openTime < span.upperBound }
            .map { row($0, fetchedAt: page.requestedAt) }
        return (
            rows,
            StoredCandlesDTO.Span(from: from.microseconds, to: span.upperBound.microseconds)
        )
    }

    /// The row of a complete candle.
    static func row(_ candle: Candle, fetchedAt: Timestamp) -> StoredCandlesDTO.Row {
        StoredCandlesDTO.Row(
            openTime: candle.openTime.microseconds,
            open: candle.open.canonicalText,
            high: candle.high.canonicalText,
            low: candle.low.canonicalText,
            close: candle.close.canonicalText,
            volume: candle.volume.canonicalText,
            fetchedAt: fetchedAt.microseconds
        )
    }

    /// Stored candles as a page.
    ///
    /// - Parameters:
    ///   - dto: the rows.
    ///   - market: the market of the rows.
    ///   - interval: the interval of the rows.
    ///   - limit: the latest plausible time; nil for no limit.
    /// - Returns: the page, as of the fetch of its newest row, and the number of skipped rows with
    ///   impossible numbers; no page without rows.
    static func page(
        _ dto: StoredCandlesDTO,
        of market: MarketID,
        interval: CandleInterval,
        notAfter limit: Timestamp?
    ) -> (page: CandlePage?, skipped: Int) {
        let (candles, spans, skipped) = candles(dto, interval, notAfter: limit)
        guard let newest = dto.rows.map(\.fetchedAt).max(), !candles.isEmpty else {
            return (nil, skipped)
        }
        let newestAt = Timestamp(microseconds: newest)
        let fetchedAt = min(newestAt, limit ?? newestAt)
        let page = CandlePage(
            market: market,
            interval: interval,
            candles: candles,
            requestedAt: fetchedAt,
            answeredAt: fetchedAt,
            spans: spans
        )
        return (page, skipped)
    }

    /// A stored block of past candles.
    ///
    /// - Parameters:
    ///   - dto: the rows of the interval that the exchange serves; none in a block without a trade.
    ///   - market: the market of the rows.
    ///   - block: the block.
    /// - Returns: the block, unless a part of it is not stored, and the number of skipped rows with
    ///   impossible numbers.
    static func page(
        _ dto: StoredCandlesDTO,
        of market: MarketID,
        _ block: CandleBlock
    ) -> (page: CandleBlockPage?, skipped: Int) {
        let (candles, spans, skipped) = candles(dto, block.interval.served, notAfter: nil)
        let isStored = spans.contains { $0.lowerBound <= block.start && block.end <= $0.upperBound }
        guard isStored else { return (nil, skipped) }
        let page = CandleBlockPage(
            market: market,
            block: block,
            candles: CandleAggregation.fold(candles, to: block.interval)
                .filter { $0.openTime >= block.start },
            isBeginning: false
        )
        return (page, skipped)
    }

    /// The candles of stored rows, the spans they cover, and the number of skipped rows.
    private static func candles(
        _ dto: StoredCandlesDTO,
        _ interval: CandleInterval,
        notAfter limit: Timestamp?
    ) -> (candles: [Candle], spans: [Range<Timestamp>], skipped: Int) {
        let candles = dto.rows.compactMap { row in
            candle(row, interval).flatMap { $0.openTime <= limit ?? $0.openTime ? $0 : nil }
        }
        let skipped = dto.rows.count - candles.count
        // A span across an unreadable row would claim that it had no trade.
        return (candles, skipped == 0 ? dto.spans.compactMap(range) : [], skipped)
    }

    private static func range(_ span: StoredCandlesDTO.Span) -> Range<Timestamp>? {
        guard span.from < span.to else { return nil }
        return Timestamp(microseconds: span.from)..<Timestamp(microseconds: span.to)
    }

    private static func candle(
        _ row: StoredCandlesDTO.Row,
        _ interval: CandleInterval
    ) -> Candle? {
        let openTime = Timestamp(microseconds: row.openTime)
        guard interval.bucketStart(of: openTime) == openTime,
            let open = price(row.open), let high = price(row.high), let low = price(row.low),
            let close = price(row.close), low <= close, close <= high,
            let volume = try? FixedDecimal(parsing: row.volume), volume.sign >= 0
        else { return nil }
        return Candle(
            openTime: openTime,
            open: open,
            high: high,
            low: low,
            close: close,
            volume: volume,
            origin: .store
        )
    }

    private static func price(_ text: String) -> FixedDecimal? {
        guard let price = try? FixedDecimal(parsing: text), price.sign > 0 else { return nil }
        return price
    }
}
