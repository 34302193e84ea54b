import DataSourceContracts
import Domain

/// Maps closes to a page of them.
enum CloseMapping {
    /// Maps the closes that a board keeps: those of ``ClosePage/reach`` and the one before.
    ///
    /// - Parameters:
    ///   - dto: the decoded response.
    ///   - market: the requested market.
    ///   - interval: the requested interval.
    ///   - until: until when the response is complete, in exchange time.
    ///   - isWhole: whether the response reaches back over every period.
    ///   - limit: the latest plausible time; nil for no limit.
    /// - Returns: the page.
    /// - Throws: `malformed` if a row is unreadable.
    static func page(
        _ dto: ClosesDTO,
        of market: MarketID,
        interval: CandleInterval,
        until: Timestamp,
        isWhole: Bool,
        notAfter limit: Timestamp?
    ) throws(DataSourceError) -> ClosePage {
        var skipped = dto.skippedCount
        var rows: [ClosePage.Row] = []
        let first = until.advanced(by: .zero - ClosePage.reach).microseconds / 1_000
        let ascending = dto.rows.sorted { $0.atMilliseconds < $1.atMilliseconds }
        let start = ascending.lastIndex { $0.atMilliseconds <= first } ?? 0
        rows.reserveCapacity(ascending.count - start)
        for row in ascending[start...] {
            if let row = self.row(row, interval, notAfter: limit) {
                rows.append(row)
            } else {
                skipped += 1
            }
        }
        guard skipped == 0 else {
            throw DataSourceError(.malformed, "candles: \(skipped) unreadable rows")
        }
        return ClosePage(
            market: market,
            interval: interval,
            rows: rows,
            until: until,
            isWhole: isWhole
        )
    }

    private static func row(
        _ row: CloseDTO,
        _ interval: CandleInterval,
        notAfter limit: Timestamp?
    ) -> ClosePage.Row? {
        guard ExchangeDates.milliseconds.contains(row.atMilliseconds),
            let close = try? FixedDecimal(row.close), close.sign > 0
        else { return nil }
        let openTime = interval.bucketStart(of: Timestamp(milliseconds: row.atMilliseconds))
        guard openTime <= limit ?? openTime else { return nil }
        return ClosePage.Row(openTime: openTime, close: close)
    }
}
