public import DataSourceContracts

/// Reads whole-market tickers from API 1.x: `GET {base}/public/ticker/ALL_{quote}`.
public actor BithumbTickerSource: TickerSource {
    private let client: BithumbClient
    private var decoder = TickerAllDecoder()

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Makes a source with a client of its own, made of the same parameters.
    public init(
        transport: any HTTPTransport,
        baseURL: String,
        gate: RequestRateLimiter,
        timeout: Duration = .seconds(10)
    ) {
        self.init(
            client: BithumbClient(
                transport: transport,
                baseURL: baseURL,
                gate: gate,
                timeout: timeout
            )
        )
    }

    /// Reads every market of one quote currency.
    ///
    /// - Parameter quote: `KRW` or `BTC`.
    /// - Returns: the answer, with what the server says it serves.
    /// - Throws: ``DataSourceError``; `cancelled` promptly when the task is cancelled.
    public func tickers(quote: String) async throws(DataSourceError) -> TickerAllDTO {
        precondition(
            !quote.isEmpty && quote.unicodeScalars.allSatisfy { ("A"..."Z").contains($0) },
            "A quote currency is upper-case letters."
        )
        let answer = try await client.get("ticker/ALL_\(quote)", .ticker)
        return try client.read(answer) { body throws(DataSourceError) in
            var tickers = try decoder.decode(body)
            tickers.feedLabel = answer.feedLabel
            return tickers
        }
    }
}
