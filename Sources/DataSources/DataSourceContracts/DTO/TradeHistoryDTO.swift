/// One trade of `GET /public/transaction_history/{market}` (API 1.x, seen 2022), or of a page of
/// `GET /v1/trades/ticks` (API 2.x).
///
/// ```json
/// {"transaction_date":"2026-09-23 21:18:33","type":"bid","units_traded":"35.5",
///  "price":"1211","total":"42990"}
/// ```
public struct HistoricTradeDTO: Sendable, Hashable {
    /// Unix milliseconds; in API 1.x `transaction_date`, Korean wall clock in whole seconds.
    ///
    /// Old data have hours without a leading zero; both spellings are read.
    public var atMilliseconds: Int64
    /// `type`: true for `bid`, the taker bought; false for `ask`.
    public var takerBought: Bool
    /// Base quantity.
    public var quantity: WireDecimal
    /// Price, in the quote currency.
    public var price: WireDecimal
    /// `sequential_id` of API 2.x, which ascends with time; nil in API 1.x.
    public var sequentialID: Int64?

    /// Makes a trade.
    public init(
        atMilliseconds: Int64,
        takerBought: Bool,
        quantity: WireDecimal,
        price: WireDecimal,
        sequentialID: Int64? = nil
    ) {
        self.atMilliseconds = atMilliseconds
        self.takerBought = takerBought
        self.quantity = quantity
        self.price = price
        self.sequentialID = sequentialID
    }
}

/// A page of past trades.
public struct TradeHistoryDTO: Sendable, Hashable {
    /// The trades in the order of the wire: in API 1.x oldest first, but the vendor's example shows
    /// the opposite, so readers compare the times; in API 2.x newest first.
    public var trades: [HistoricTradeDTO]
    /// The number of unreadable entries.
    public var skippedCount: Int
    /// Whether times are whole milliseconds and earlier pages can be read, as in API 2.x.
    public var isPaged: Bool

    /// Makes a response.
    public init(trades: [HistoricTradeDTO], skippedCount: Int = 0, isPaged: Bool = false) {
        self.trades = trades
        self.skippedCount = skippedCount
        self.isPaged = isPaged
    }
}
