public import DataSourceContracts

/// Reads order books from API 1.x: `GET {base}/public/orderbook/{market}?count=30`.
public struct BithumbOrderBookSource: OrderBookSource {
    private let client: BithumbClient

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Reads thirty levels a side of one market.
    ///
    /// - Parameter symbol: `XRP_KRW`: letters, digits and underscores.
    /// - Returns: the book; the exchange truncates quantities to four fraction digits.
    /// - Throws: ``DataSourceError``: `refused` for an unlisted market;
    ///   `cancelled` promptly when the task is cancelled.
    public func orderBook(symbol: String) async throws(DataSourceError) -> OrderBookDTO {
        BithumbClient.checkPathPart(symbol)
        let response = try await client.get("orderbook/\(symbol)", query: "?count=30", .orderbook)
        return try client.read(response) { body throws(DataSourceError) in
            var decoder = OrderBookDecoder()
            return try decoder.decode(body, symbol: symbol)
        }
    }
}
