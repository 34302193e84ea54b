public import DataSourceContracts

/// Reads candles from API 1.x: `GET {base}/public/candlestick/{market}/{interval}`.
public struct BithumbCandleSource: CandleSource {
    private let client: BithumbClient

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Reads all candles that the exchange returns for one market and interval.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`: letters, digits and underscores.
    ///   - interval: `1m`, `3m`, `5m`, `10m`, `30m`, `1h`, `6h`, `12h` or `24h`.
    /// - Returns: the rows in the order of the wire.
    /// - Throws: ``DataSourceError``, as ``BithumbOrderBookSource`` does.
    public func candles(
        symbol: String,
        interval: String
    ) async throws(DataSourceError) -> CandlesDTO {
        BithumbClient.checkPathPart(symbol)
        BithumbClient.checkPathPart(interval)
        let response = try await client.get("candlestick/\(symbol)/\(interval)", .candles)
        return try client.read(response) { body throws(DataSourceError) in
            var decoder = CandlesDecoder()
            return try decoder.decode(body)
        }
    }
}
