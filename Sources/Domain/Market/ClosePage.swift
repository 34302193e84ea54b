/// Closes of one market, read as candles from the exchange.
///
/// Nothing was traded between two rows, and between the last row and ``until``.
public struct ClosePage: Sendable, Hashable {
    /// The close of one candle.
    public struct Row: Sendable, Hashable {
        /// When the candle opened.
        public var openTime: Timestamp
        /// The price of its last trade.
        public var close: FixedDecimal

        /// Makes a row.
        public init(openTime: Timestamp, close: FixedDecimal) {
            self.openTime = openTime
            self.close = close
        }
    }

    /// How far back closes are kept: the longest period and an hour.
    public static let reach = Duration.seconds(25 * 3_600)

    /// The market.
    public let market: MarketID
    /// The length of the candles.
    public let interval: CandleInterval
    /// The closes, ascending and without duplicates.
    public let rows: [Row]
    /// Until when the page is complete.
    public let until: Timestamp
    /// Whether the page reaches back over every period, so that the market was not traded before
    /// the first row.
    public let isWhole: Bool

    /// Makes a page; of rows with the same time the last one counts.
    public init(
        market: MarketID,
        interval: CandleInterval,
        rows: [Row],
        until: Timestamp,
        isWhole: Bool
    ) {
        self.market = market
        self.interval = interval
        var ascending: [Row] = []
        for row in rows.sorted(by: { $0.openTime < $1.openTime }) {
            if ascending.last?.openTime == row.openTime { ascending.removeLast() }
            ascending.append(row)
        }
        self.rows = ascending
        self.until = until
        self.isWhole = isWhole
    }
}
