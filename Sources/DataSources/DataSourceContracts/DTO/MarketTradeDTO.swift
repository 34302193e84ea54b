/// One row of `GET /v1/trades/ticks`, or a stream frame of type `trade` (API 2.x, seen 2026).
///
/// ```json
/// {"market":"KRW-XRP","trade_date_utc":"2026-09-23","trade_time_utc":"12:18:33",
///  "timestamp":1790165913240,"trade_price":1211,"trade_volume":35.5,"ask_bid":"BID",
///  "sequential_id":17901659132400000}
/// ```
///
/// A frame names the market `code` and the time `trade_timestamp`.
public struct MarketTradeDTO: Sendable, Hashable {
    /// `KRW-XRP`: quote and coin, split at the first hyphen.
    public var market: String
    /// The time of the trade, Unix milliseconds.
    public var atMilliseconds: Int64
    /// `ask_bid`: true for `BID`, the taker bought.
    public var takerBought: Bool
    /// Price, in the quote currency.
    public var price: WireDecimal
    /// Base quantity.
    public var quantity: WireDecimal
    /// `sequential_id`; nil if absent.
    ///
    /// A row and a frame give the same trade different ids.
    public var sequentialID: Int64?
    /// `stream_type`: whether a frame repeats the last trade before the request; false in rows.
    public var isSnapshot = false

    /// Makes a trade.
    public init(
        market: String,
        atMilliseconds: Int64,
        takerBought: Bool,
        price: WireDecimal,
        quantity: WireDecimal,
        sequentialID: Int64?
    ) {
        self.market = market
        self.atMilliseconds = atMilliseconds
        self.takerBought = takerBought
        self.price = price
        self.quantity = quantity
        self.sequentialID = sequentialID
    }
}

/// A response of `trades/ticks`.
public struct MarketTradesDTO: Sendable, Hashable {
    /// The trades in the order of the wire: newest first.
    public var trades: [MarketTradeDTO]
    /// The number of unreadable rows.
    public var skippedCount: Int

    /// Makes a response.
    public init(trades: [MarketTradeDTO], skippedCount: Int = 0) {
        self.trades = trades
        self.skippedCount = skippedCount
    }
}
