/// One row of `GET /public/candlestick/{market}/{interval}` (API 1.x, seen 2022), or of
/// `GET /v1/candles/…` (API 2.x, seen 2026).
///
/// ```json
/// [1790133600000,"1204","1210","1215","1199",".9159"]
/// ```
///
/// The order on the wire of 1.x is open, CLOSE, HIGH, LOW; a volume below one has no digit before
/// the point.
///
/// ```json
/// {"market":"KRW-XRP","candle_date_time_utc":"2026-09-23T12:18:00","opening_price":1204,
///  "high_price":1215,"low_price":1199,"trade_price":1210,"candle_acc_trade_price":1109.5,
///  "candle_acc_trade_volume":0.9159,"unit":1}
/// ```
public struct CandleDTO: Sendable, Hashable {
    /// When the candle opens, Unix milliseconds; in API 1.x the running candle's time may not be a
    /// multiple of the interval.
    public var atMilliseconds: Int64
    /// The first price.
    public var open: WireDecimal
    /// The last price.
    public var close: WireDecimal
    /// The highest price.
    public var high: WireDecimal
    /// The lowest price.
    public var low: WireDecimal
    /// Base volume.
    public var volume: WireDecimal
    /// Quote turnover; nil in API 1.x.
    public var turnover: WireDecimal?

    /// Makes a row.
    public init(
        atMilliseconds: Int64,
        open: WireDecimal,
        close: WireDecimal,
        high: WireDecimal,
        low: WireDecimal,
        volume: WireDecimal,
        turnover: WireDecimal? = nil
    ) {
        self.atMilliseconds = atMilliseconds
        self.open = open
        self.close = close
        self.high = high
        self.low = low
        self.volume = volume
        self.turnover = turnover
    }
}

/// A response of `candlestick` or `candles`.
public struct CandlesDTO: Sendable, Hashable {
    /// The rows in the order of the wire: ascending in API 1.x, repeated rows included; newest
    /// first in API 2.x.
    public var rows: [CandleDTO]
    /// The interval of the rows, `1h`, where it is shorter than the requested one; else nil.
    public var interval: String?
    /// Whether older rows exist that were not read; nil if only their number tells.
    public var isTruncated: Bool?
    /// The number of unreadable rows.
    public var skippedCount: Int

    /// Makes a response.
    public init(
        rows: [CandleDTO],
        interval: String? = nil,
        isTruncated: Bool? = nil,
        skippedCount: Int = 0
    ) {
        self.rows = rows
        self.isTruncated = isTruncated
        self.interval = interval
        self.skippedCount = skippedCount
    }
}

/// The time and the last price of a candle.
public struct CloseDTO: Sendable, Hashable {
    /// As ``CandleDTO/atMilliseconds``.
    public var atMilliseconds: Int64
    /// The last price.
    public var close: WireDecimal

    /// Makes a row.
    public init(atMilliseconds: Int64, close: WireDecimal) {
        self.atMilliseconds = atMilliseconds
        self.close = close
    }
}

/// The closes of a response of `candlestick` or `candles`.
public struct ClosesDTO: Sendable, Hashable {
    /// The rows in the order of the wire.
    public var rows: [CloseDTO]
    /// The number of unreadable rows.
    public var skippedCount: Int

    /// Makes a response.
    public init(rows: [CloseDTO], skippedCount: Int = 0) {
        self.rows = rows
        self.skippedCount = skippedCount
    }
}
