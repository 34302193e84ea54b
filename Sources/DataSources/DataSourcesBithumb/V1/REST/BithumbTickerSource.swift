public import DataSourceContracts

/// Reads whole-market tickers from API 1.x: `GET {base}/public/ticker/ALL_{quote}`.
public struct BithumbTickerSource: TickerSource {
    private let client: BithumbClient

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Makes a source with a client of its own.
    public init(
        transport: any HTTPTransport,
        baseURL: String,
        rateLimiter: RequestRateLimiter,
        timeout: Duration = .seconds(10)
    ) {
        self.init(
            client: BithumbClient(
                transport: transport,
                baseURL: baseURL,
                rateLimiter: rateLimiter,
                timeout: timeout
            )
        )
    }

    /// Reads every market of one quote currency.
    ///
    /// - Parameter quote: `KRW` or `BTC`.
    /// - Returns: the tickers, with the feed label of the server.
    /// - Throws: ``DataSourceError``; `cancelled` promptly when the task is cancelled.
    public func tickers(quote: String) async throws(DataSourceError) -> TickerAllDTO {
        precondition(
            !quote.isEmpty && quote.unicodeScalars.allSatisfy { ("A"..."Z").contains($0) },
            "A quote currency is upper-case letters."
        )
        let response = try await client.get("ticker/ALL_\(quote)", .ticker)
        return try client.read(response) { body throws(DataSourceError) in
            var decoder = TickerAllDecoder()
            var tickers = try decoder.decode(body)
            tickers.feedLabel = response.feedLabel
            return tickers
        }
    }
}
