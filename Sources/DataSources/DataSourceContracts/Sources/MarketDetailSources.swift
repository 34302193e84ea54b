/// Reads single order books over REST.
public protocol OrderBookSource: Sendable {
    /// Reads thirty levels a side of one market.
    ///
    /// Waits for the category's rate limit and makes one attempt, as ``TickerSource`` does.
    ///
    /// - Parameter symbol: `XRP_KRW`.
    /// - Returns: the book.
    /// - Throws: ``DataSourceError``: `refused` for an unlisted market;
    ///   `cancelled` promptly when the task is cancelled.
    func orderBook(symbol: String) async throws(DataSourceError) -> OrderBookDTO
}

/// Reads past trades over REST.
public protocol TradeHistorySource: Sendable {
    /// Reads the newest trades of one market.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`.
    ///   - count: the number of trades, 1...100.
    /// - Returns: the trades.
    /// - Throws: ``DataSourceError``, as ``OrderBookSource`` does.
    func trades(symbol: String, count: Int) async throws(DataSourceError) -> TradeHistoryDTO
}

/// Reads candles over REST.
public protocol CandleSource: Sendable {
    /// Reads all candles that the exchange returns for one market and interval; the last row is
    /// usually the running candle.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`.
    ///   - interval: `1m`, `3m`, `5m`, `10m`, `30m`, `1h`, `6h`, `12h` or `24h`.
    /// - Returns: the rows.
    /// - Throws: ``DataSourceError``, as ``OrderBookSource`` does.
    func candles(symbol: String, interval: String) async throws(DataSourceError) -> CandlesDTO
}
