/// Reads whole-market tickers over REST.
public protocol TickerSource: Sendable {
    /// Reads every market of one quote currency: `ticker/ALL_KRW` or `ticker/ALL_BTC`.
    ///
    /// Waits for the category's rate limit. Makes one attempt: the caller owns the retry rule,
    /// because only it knows whether somebody still wants the answer.
    ///
    /// - Parameter quote: `KRW` or `BTC`.
    /// - Returns: the markets, suspended codes, and what could not be read.
    /// - Throws: ``DataSourceError``; `cancelled` promptly when the task is cancelled.
    func tickers(quote: String) async throws(DataSourceError) -> TickerAllDTO
}
