import DataSourceContracts
import Domain

/// Maps a response of `transaction_history` to past trades.
enum TradeHistoryMapping {
    /// The number of requested trades: as many as the exchange returns.
    static let count = 100

    /// Maps a response.
    ///
    /// - Parameters:
    ///   - dto: the decoded response.
    ///   - market: the requested market.
    ///   - asked: the number of requested trades.
    ///   - limit: the latest plausible time; a later trade would be newer than all later ones. Nil
    ///     for no limit.
    /// - Returns: the trades, oldest first, and the number of skipped ones with an impossible
    ///   number or time.
    static func history(
        _ dto: TradeHistoryDTO,
        of market: MarketID,
        asked: Int,
        notAfter limit: Timestamp?
    ) -> (history: TradeHistory, skipped: Int) {
        let latest = limit?.second ?? .max
        let rows = dto.trades.compactMap(row).filter { $0.second <= latest }
        let skipped = dto.skippedCount + dto.trades.count - rows.count
        let isComplete = dto.trades.count + dto.skippedCount < asked
        return (TradeHistory(market: market, rows: rows, isComplete: isComplete), skipped)
    }

    private static func row(_ dto: HistoricTradeDTO) -> TradeHistory.Row? {
        guard let price = try? FixedDecimal(dto.price), price.sign > 0,
            let quantity = try? FixedDecimal(dto.quantity), quantity.sign >= 0
        else { return nil }
        return TradeHistory.Row(
            second: dto.atSeconds,
            price: price,
            quantity: quantity,
            side: dto.takerBought ? .buy : .sell
        )
    }
}
