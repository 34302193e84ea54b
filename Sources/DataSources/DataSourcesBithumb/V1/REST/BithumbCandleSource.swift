public import DataSourceContracts

/// Reads candles from API 1.x: `GET {base}/public/candlestick/{market}/{interval}`.
public struct BithumbCandleSource: CandleSource, CloseSource {
    private let client: BithumbClient

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Reads all candles that the exchange returns for one market and interval.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`: letters, digits and underscores.
    ///   - interval: `1m`, `3m`, `5m`, `10m`, `30m`, `1h`, `6h`, `12h` or `24h`.
    ///   - reach: ignored, but `unserved` for a span: API 1.x serves its newest candles alone.
    /// - Returns: the rows in the order of the wire.
    /// - Throws: ``DataSourceError``, as ``BithumbOrderBookSource`` does.
    public func candles(
        symbol: String,
        interval: String,
        reach: CandleReach
    ) async throws(DataSourceError) -> CandlesDTO {
        if case .span = reach {
            throw DataSourceError(.unserved, "candlestick/\(symbol)/\(interval): past candles")
        }
        return try await read(symbol, interval) { decoder, body throws(DataSourceError) in
            try decoder.decode(body)
        }
    }

    /// Reads the closes of the same candles; see ``CloseSource``.
    public func closes(
        symbol: String,
        interval: String
    ) async throws(DataSourceError) -> ClosesDTO {
        try await read(symbol, interval) { decoder, body throws(DataSourceError) in
            try decoder.closes(body)
        }
    }

    private func read<Output>(
        _ symbol: String,
        _ interval: String,
        _ decode: (inout CandlesDecoder, [UInt8]) throws(DataSourceError) -> Output
    ) async throws(DataSourceError) -> Output {
        BithumbClient.checkPathPart(symbol)
        BithumbClient.checkPathPart(interval)
        let response = try await client.get("candlestick/\(symbol)/\(interval)", .candles)
        return try client.read(response) { body throws(DataSourceError) in
            var decoder = CandlesDecoder()
            return try decode(&decoder, body)
        }
    }
}
