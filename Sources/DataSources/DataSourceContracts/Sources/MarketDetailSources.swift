/// Reads single order books over REST.
public protocol OrderBookSource: Sendable {
    /// Reads thirty levels a side of one market.
    ///
    /// The book's symbol is spelled as its API does.
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
    /// Reads candles of one market and interval up to now: all that API 1.x returns, in API 2.x
    /// some pages; the running candle is usually among them.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`.
    ///   - interval: `1m`, `3m`, `5m`, `10m`, `30m`, `1h`, `6h`, `12h` or `24h`. API 2.x has no
    ///     candles of 6 and 12 hours: it returns those of one hour.
    /// - Returns: the rows.
    /// - Throws: ``DataSourceError``, as ``OrderBookSource`` does.
    func candles(symbol: String, interval: String) async throws(DataSourceError) -> CandlesDTO
}
