public import DataSourceContracts

/// Reads order books from API 1.x: `GET {base}/public/orderbook/{market}?count=30`.
public actor BithumbOrderBookSource: OrderBookSource {
    private let client: BithumbClient
    private var decoder = OrderBookDecoder()

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Reads thirty levels a side of one market.
    ///
    /// - Parameter symbol: `XRP_KRW`: letters, digits and underscores.
    /// - Returns: the book; quantities are cut to four fraction digits by the exchange.
    /// - Throws: ``DataSourceError``: `refused` for a market the exchange does not list;
    ///   `cancelled` promptly when the task is cancelled.
    public func orderBook(symbol: String) async throws(DataSourceError) -> OrderBookDTO {
        BithumbClient.checkPathPart(symbol)
        let answer = try await client.get("orderbook/\(symbol)", query: "?count=30", .orderbook)
        return try client.read(answer) { body throws(DataSourceError) in
            try decoder.decode(body, symbol: symbol)
        }
    }
}
