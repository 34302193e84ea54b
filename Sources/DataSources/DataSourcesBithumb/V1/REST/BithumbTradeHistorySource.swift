public import DataSourceContracts

/// Reads past trades from API 1.x: `GET {base}/public/transaction_history/{market}?count=n`.
public struct BithumbTradeHistorySource: TradeHistorySource {
    /// The numbers of trades that the exchange accepts.
    public static let counts = 1...100

    private let client: BithumbClient

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Reads the newest trades of one market.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`: letters, digits and underscores.
    ///   - count: the number of trades, in ``counts``.
    /// - Returns: the trades in the order of the wire.
    /// - Throws: ``DataSourceError``, as ``BithumbOrderBookSource`` does.
    public func trades(
        symbol: String,
        count: Int
    ) async throws(DataSourceError) -> TradeHistoryDTO {
        BithumbClient.checkPathPart(symbol)
        precondition(Self.counts.contains(count), "The exchange returns 1 to 100 trades.")
        let response = try await client.get(
            "transaction_history/\(symbol)",
            query: "?count=\(count)",
            .trades
        )
        return try client.read(response) { body throws(DataSourceError) in
            var decoder = TradeHistoryDecoder()
            return try decoder.decode(body)
        }
    }
}
