import DataSourceContracts
import Domain
import Synchronization

extension LiveDetailFeed {
    /// Returns a block of past candles from the cache or the store, or reads it from the exchange.
    func read(
        _ block: CandleBlock,
        of market: MarketID
    ) async throws(DataSourceError) -> DetailResponse {
        let (cached, feed) = past.withLock { ($0.page(of: market, block), $0.feed) }
        if let cached { return DetailResponse(cached) }
        if let stored = await parts.archive?.block(block, of: market) {
            past.withLock { $0.keep(stored, of: feed) }
            return DetailResponse(stored)
        }
        let requestedAt = exchangeTime
        let dto = try await rows(of: block, of: market, feed)
        try checkClock(since: requestedAt)
        let (page, served, skipped) = CandleMapping.page(
            dto,
            of: market,
            block: block,
            requestedAt: requestedAt,
            answeredAt: exchangeTime
        )
        // An unreadable row would look like a bucket without trades.
        guard skipped == 0 else {
            throw DataSourceError(.malformed, "candles of \(market.name): \(skipped) unreadable")
        }
        // The exchange's candles lag behind its trades.
        let settledAt = block.end.advanced(by: StoredCandleMapping.settling)
        if settledAt <= requestedAt {
            past.withLock { $0.keep(page, of: feed) }
            // The store does not tell a market's beginning: before it, an empty block is no hole.
            if !page.isBeginning || !served.candles.isEmpty { parts.archive?.keep(served) }
        }
        return DetailResponse(page)
    }

    /// Reads the rows of a block.
    ///
    /// The rows before a failure are kept for the next try.
    private func rows(
        of block: CandleBlock,
        of market: MarketID,
        _ feed: FeedKind?
    ) async throws(DataSourceError) -> CandlesDTO {
        let start = block.start.second
        var all = past.withLock { $0.takeUnfinished(of: market, block) }
        while true {
            let end = all?.oldestSecond ?? block.end.second
            let next: CandlesDTO
            do throws(DataSourceError) {
                next = try await parts.candles.candles(
                    symbol: market.name,
                    interval: block.interval.served.rawValue,
                    reach: .span(start..<end)
                )
            } catch {
                if let all {
                    past.withLock { $0.keep(unfinished: all, of: market, block, feed) }
                }
                throw error
            }
            var joined = next
            joined.rows = (all?.rows ?? []) + next.rows
            let reached = joined.oldestSecond ?? start
            let isWhole = next.isTruncated != true || reached <= start
            // A response without a new row, or with unreadable ones, has no beginning to go on at.
            if isWhole || next.skippedCount > 0 || reached >= end { return joined }
            all = joined
        }
    }
}

extension CandlesDTO {
    /// When the oldest row opens, in Unix seconds.
    fileprivate var oldestSecond: Int64? { rows.map(\.atMilliseconds).min().map { $0 / 1_000 } }
}
