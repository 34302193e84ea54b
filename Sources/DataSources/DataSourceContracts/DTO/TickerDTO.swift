/// One coin of `GET /public/ticker/ALL_KRW` or `ALL_BTC` (API 1.x, docs v1.2.0, seen 2026-11).
///
/// ```json
/// {"opening_price":"1204","closing_price":"1210","min_price":"1199","max_price":"1215",
///  "units_traded":"81234.5511","acc_trade_value":"97912345.1234","prev_closing_price":"1203",
///  "units_traded_24H":"120000.01","acc_trade_value_24H":"144512345.99",
///  "fluctate_24H":"8","fluctate_rate_24H":"0.67"}
/// ```
///
/// Every number is a string, but `fluctate_rate_24H` is the bare number 0 for a coin without a
/// trade in 24 hours. Absent or `null` fields are nil; a field that is neither number nor numeric
/// text makes the entry a ``SkippedEntryDTO``.
public struct TickerDTO: Sendable, Hashable {
    /// The coin's code, which is the key in the response, `SUN_OLD` included.
    public var symbol: String
    /// Price at 00:00 KST today, in the quote currency; zero without a trade today.
    public var openingPrice: WireDecimal?
    /// Price of the last trade.
    public var closingPrice: WireDecimal?
    /// Lowest price since 00:00 KST.
    public var minPrice: WireDecimal?
    /// Highest price since 00:00 KST.
    public var maxPrice: WireDecimal?
    /// Base volume since 00:00 KST.
    public var unitsTraded: WireDecimal?
    /// Quote turnover since 00:00 KST.
    public var accTradeValue: WireDecimal?
    /// Last price of the day before; zero without a trade today.
    public var prevClosingPrice: WireDecimal?
    /// Base volume of the rolling 24 hours.
    public var unitsTraded24H: WireDecimal?
    /// Quote turnover of the rolling 24 hours.
    public var accTradeValue24H: WireDecimal?
    /// Closing price minus the price 24 hours ago; useless in BTC markets (rounded to an integer).
    public var fluctate24H: WireDecimal?
    /// `fluctate24H` in percent of the price 24 hours ago, two decimals.
    public var fluctateRate24H: WireDecimal?

    /// Makes an entry without numbers.
    public init(symbol: String) { self.symbol = symbol }
}

/// A response of `ticker/ALL_…`.
public struct TickerAllDTO: Sendable, Hashable {
    /// The coins that decoded, in the order of the wire.
    public var tickers: [TickerDTO]
    /// Codes whose value is `[]` instead of an object: suspended or delisted.
    public var emptySymbols: [String]
    /// Entries that did not decode.
    public var skipped: [SkippedEntryDTO]
    /// The exchange's time (`date`), Unix milliseconds; nil when absent or unreadable.
    public var dateMilliseconds: Int64?
    /// The header `x-hoga-feed` of a hoga server, `simulated` or `replay`; nil from the exchange.
    public var feedLabel: String?

    /// Makes a response.
    public init(
        tickers: [TickerDTO] = [],
        emptySymbols: [String] = [],
        skipped: [SkippedEntryDTO] = [],
        dateMilliseconds: Int64? = nil,
        feedLabel: String? = nil
    ) {
        self.tickers = tickers
        self.emptySymbols = emptySymbols
        self.skipped = skipped
        self.dateMilliseconds = dateMilliseconds
        self.feedLabel = feedLabel
    }
}

/// An entry that was skipped, so that the others could be served.
public struct SkippedEntryDTO: Sendable, Hashable {
    /// The key of the entry or the type of the frame; empty if unreadable.
    public var key: String
    /// Which field or rule failed, without the value.
    public var reason: String

    /// Makes an entry.
    public init(key: String, reason: String) {
        self.key = key
        self.reason = reason
    }
}
