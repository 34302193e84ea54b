/// One row of `GET /public/candlestick/{market}/{interval}` (API 1.x, seen 2022).
///
/// ```json
/// [1790133600000,"1204","1210","1215","1199",".9159"]
/// ```
///
/// The order on the wire is open, CLOSE, HIGH, LOW; a volume below one has no digit before the
/// point.
public struct CandleDTO: Sendable, Hashable {
    /// Unix milliseconds of the wire; the running candle's time may not be a multiple of the
    /// interval.
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

    /// Makes a row.
    public init(
        atMilliseconds: Int64,
        open: WireDecimal,
        close: WireDecimal,
        high: WireDecimal,
        low: WireDecimal,
        volume: WireDecimal
    ) {
        self.atMilliseconds = atMilliseconds
        self.open = open
        self.close = close
        self.high = high
        self.low = low
        self.volume = volume
    }
}

/// A response of `candlestick`.
public struct CandlesDTO: Sendable, Hashable {
    /// The rows in the order of the wire: ascending, repeated rows included.
    public var rows: [CandleDTO]
    /// The number of unreadable rows.
    public var skippedCount: Int

    /// Makes a response.
    public init(rows: [CandleDTO], skippedCount: Int = 0) {
        self.rows = rows
        self.skippedCount = skippedCount
    }
}
