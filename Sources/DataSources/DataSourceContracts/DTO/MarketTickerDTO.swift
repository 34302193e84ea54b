/// One row of `GET /v1/ticker`, or a stream frame of type `ticker` (API 2.x, seen 2026).
///
/// ```json
/// {"market":"KRW-XRP","trade_date":"20260923","trade_time":"121833",
///  "trade_timestamp":1790198313240,"opening_price":1204,"high_price":1215,"low_price":1199,
///  "trade_price":1210,"prev_closing_price":1203,"acc_trade_price":97912345.1234,
///  "acc_trade_price_24h":144512345.99,"acc_trade_volume":81234.5511,
///  "acc_trade_volume_24h":120000.01}
/// ```
///
/// A frame names the market `code`, and writes date and time in KST where a row writes UTC.
/// Numbers are bare, with exponents (`1.4E-7`) and up to 26 fraction digits. Absent or `null`
/// numbers are nil, but for the price.
public struct MarketTickerDTO: Sendable, Hashable {
    /// `KRW-XRP`: quote and coin, split at the first hyphen.
    public var market: String
    /// The time of the last trade, Unix milliseconds; see
    /// ``tradeTime(clockMilliseconds:timestamp:)``.
    public var tradedAtMilliseconds: Int64
    /// Price of the last trade, in the quote currency.
    public var tradePrice: WireDecimal
    /// Price at 00:00 KST today.
    public var openingPrice: WireDecimal?
    /// Highest price since 00:00 KST.
    public var highPrice: WireDecimal?
    /// Lowest price since 00:00 KST.
    public var lowPrice: WireDecimal?
    /// Last price before 00:00 KST today.
    public var prevClosingPrice: WireDecimal?
    /// Quote turnover since 00:00 KST.
    public var accTradePrice: WireDecimal?
    /// Quote turnover of the rolling 24 hours.
    public var accTradePrice24H: WireDecimal?
    /// Base volume since 00:00 KST.
    public var accTradeVolume: WireDecimal?
    /// Base volume of the rolling 24 hours.
    public var accTradeVolume24H: WireDecimal?
    /// Base volume sold by takers since 00:00 KST; in frames only.
    public var accAskVolume: WireDecimal?
    /// Base volume bought by takers since 00:00 KST; in frames only.
    public var accBidVolume: WireDecimal?
    /// `is_trading_suspended`; nil in rows.
    public var isSuspended: Bool?
    /// `market_warning`: whether it is `CAUTION`; nil in rows.
    public var isWarned: Bool?
    /// `stream_type`: whether a frame tells the state when it was requested, not a change since;
    /// false in rows.
    public var isSnapshot = false

    /// Makes a ticker with a price alone.
    public init(market: String, tradedAtMilliseconds: Int64, tradePrice: WireDecimal) {
        self.market = market
        self.tradedAtMilliseconds = tradedAtMilliseconds
        self.tradePrice = tradePrice
    }

    /// The true time of a trade, Unix milliseconds.
    ///
    /// Rows have been seen with Korean wall time written as Unix time, nine hours ahead; frames
    /// have the true time, and rows may have it one day. Date and time, in whole seconds, decide.
    ///
    /// - Parameters:
    ///   - clock: date and time, Unix milliseconds.
    ///   - timestamp: `trade_timestamp` as written.
    /// - Returns: the timestamp, less nine hours if it is ahead by exactly that; the whole second
    ///   if it agrees with neither.
    public static func tradeTime(clockMilliseconds clock: Int64, timestamp: Int64) -> Int64 {
        let korea: Int64 = 9 * 3_600 * 1_000
        let (ahead, overflow) = timestamp.subtractingReportingOverflow(clock)
        guard !overflow else { return clock }
        if (0..<1_000).contains(ahead) { return timestamp }
        return (korea..<korea + 1_000).contains(ahead) ? timestamp - korea : clock
    }
}

/// A response of `ticker`.
public struct MarketTickersDTO: Sendable, Hashable {
    /// The rows in the order of the wire.
    public var tickers: [MarketTickerDTO]
    /// The number of unreadable rows, and of markets that the exchange refused.
    public var skippedCount: Int
    /// The newest trade of the first call, Unix milliseconds: every row was read after it; nil
    /// without a row.
    public var asOfMilliseconds: Int64?
    /// As ``TickerAllDTO/feedLabel``.
    public var feedLabel: String?

    /// Makes a response.
    public init(
        tickers: [MarketTickerDTO] = [],
        skippedCount: Int = 0,
        asOfMilliseconds: Int64? = nil,
        feedLabel: String? = nil
    ) {
        self.tickers = tickers
        self.asOfMilliseconds = asOfMilliseconds
        self.skippedCount = skippedCount
        self.feedLabel = feedLabel
    }
}
