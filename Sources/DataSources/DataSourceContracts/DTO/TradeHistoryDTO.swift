/// One trade of `GET /public/transaction_history/{market}` (API 1.x, seen 2022).
///
/// ```json
/// {"transaction_date":"2026-09-23 21:18:33","type":"bid","units_traded":"35.5",
///  "price":"1211","total":"42990"}
/// ```
public struct HistoricTradeDTO: Sendable, Hashable {
    /// `transaction_date`, Korean wall clock in whole seconds, as Unix seconds.
    ///
    /// Old data have hours without a leading zero; both spellings are read.
    public var atSeconds: Int64
    /// `type`: true for `bid`, the taker bought; false for `ask`.
    public var takerBought: Bool
    /// Base quantity.
    public var quantity: WireDecimal
    /// Price, in the quote currency.
    public var price: WireDecimal

    /// Makes a trade.
    public init(atSeconds: Int64, takerBought: Bool, quantity: WireDecimal, price: WireDecimal) {
        self.atSeconds = atSeconds
        self.takerBought = takerBought
        self.quantity = quantity
        self.price = price
    }
}

/// A response of `transaction_history`.
public struct TradeHistoryDTO: Sendable, Hashable {
    /// The trades in the order of the wire: oldest first, but the vendor's example shows the
    /// opposite, so readers compare the times.
    public var trades: [HistoricTradeDTO]
    /// The number of unreadable entries.
    public var skippedCount: Int

    /// Makes a response.
    public init(trades: [HistoricTradeDTO], skippedCount: Int = 0) {
        self.trades = trades
        self.skippedCount = skippedCount
    }
}
