import DataSourceContracts
import Domain

/// Turns an answer of `transaction_history` into past trades.
enum TradeHistoryMapping {
    /// How many trades are asked for: as many as the exchange gives.
    static let count = 100

    /// Maps an answer.
    ///
    /// - Parameters:
    ///   - dto: the decoded answer.
    ///   - market: the market it was asked for.
    ///   - asked: how many trades were asked for.
    ///   - limit: the latest time that can be: every later trade would stand behind one beyond it.
    ///     Nil sets no limit.
    /// - Returns: the trades, oldest first, and how many were left out because a number or a time
    ///   cannot be.
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
