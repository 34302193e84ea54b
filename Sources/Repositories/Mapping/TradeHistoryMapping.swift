import DataSourceContracts
import Domain

/// Maps trades of `transaction_history` and `trades/ticks` to past trades.
enum TradeHistoryMapping {
    /// Maps a trade.
    ///
    /// - Parameters:
    ///   - dto: the decoded trade.
    ///   - resolution: the unit of its time.
    ///   - limit: the latest plausible time; a later trade would be newer than all later ones. Nil
    ///     for no limit.
    /// - Returns: the trade; nil if it has an impossible number or time.
    static func row(
        _ dto: HistoricTradeDTO,
        in resolution: TradeHistory.Resolution,
        notAfter limit: Timestamp?
    ) -> TradeHistory.Row? {
        let at = Timestamp(milliseconds: dto.atMilliseconds)
        guard let price = try? FixedDecimal(dto.price), price.sign > 0,
            let quantity = try? FixedDecimal(dto.quantity), quantity.sign >= 0,
            at <= limit.map(resolution.start) ?? at
        else { return nil }
        return TradeHistory.Row(
            at: at,
            price: price,
            quantity: quantity,
            side: dto.takerBought ? .buy : .sell
        )
    }
}
