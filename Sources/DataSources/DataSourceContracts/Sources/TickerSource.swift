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
