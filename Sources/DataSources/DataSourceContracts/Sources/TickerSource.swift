/// Reads whole-market tickers over REST.
public protocol TickerSource: Sendable {
    /// Reads every market of one quote currency: `ticker/ALL_KRW` or `ticker/ALL_BTC`.
    ///
    /// Waits for the category's rate limit and makes one attempt. Retries are the caller's, which
    /// knows whether the response is still needed.
    ///
    /// - Parameter quote: `KRW` or `BTC`.
    /// - Returns: the markets, suspended codes and unreadable entries.
    /// - Throws: ``DataSourceError``; `cancelled` promptly when the task is cancelled.
    func tickers(quote: String) async throws(DataSourceError) -> TickerAllDTO
}

/// Reads tickers of chosen markets over REST (API 2.x).
public protocol MarketTickerSource: Sendable {
    /// Reads the tickers of these markets, in calls of as many as the exchange takes.
    ///
    /// Waits for the rate limit and makes one attempt for each call, as ``TickerSource`` does.
    ///
    /// - Parameter markets: `KRW-XRP`, …
    /// - Returns: the rows in the order of the wire; a market that the exchange refuses is counted.
    /// - Throws: ``DataSourceError``, of the first call that fails; `refused` if all markets are;
    ///   `cancelled` promptly when the task is cancelled.
    func tickers(markets: [String]) async throws(DataSourceError) -> MarketTickersDTO
}
