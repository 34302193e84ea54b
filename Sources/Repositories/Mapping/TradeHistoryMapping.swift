import DataSources
import Domain

/// Turns an answer of `transaction_history` into past trades.
enum TradeHistoryMapping {
    /// How many trades are asked for: as many as the exchange gives.
    static let count = 100

    /// Maps an answer.
    ///
    /// The wire has the oldest trade first, the vendor's own example the newest: the times decide.
    /// Trades of one second stay in the order in which they were made.
    ///
    /// - Parameters:
    ///   - dto: the decoded answer.
    ///   - market: the market it was asked for.
    ///   - asked: how many trades were asked for.
    /// - Returns: the trades, oldest first, and how many were left out because a number cannot be.
    static func history(
        _ dto: TradeHistoryDTO,
        of market: MarketID,
        asked: Int
    ) -> (history: TradeHistory, skipped: Int) {
        var rows = dto.trades.compactMap(row)
        let skipped = dto.skippedCount + dto.trades.count - rows.count
        if let first = rows.first, let last = rows.last, first.second > last.second {
            rows.reverse()
        }
        if !zip(rows, rows.dropFirst()).allSatisfy({ $0.second <= $1.second }) {
            rows = rows.enumerated().sorted { left, right in
                (left.element.second, left.offset) < (right.element.second, right.offset)
            }.map(\.element)
        }
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
