public import DataSourceContracts

/// Reads past trades from API 1.x: `GET {base}/public/transaction_history/{market}?count=n`.
public struct BithumbTradeHistorySource: TradeHistorySource {
    /// The most trades that the exchange returns.
    public static let countMax = 100

    private let client: BithumbClient

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Reads the newest trades of one market; there are no pages.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`: letters, digits and underscores.
    ///   - page: ignored.
    ///   - count: the number of trades, of which at most ``countMax`` are returned.
    /// - Returns: the trades in the order of the wire.
    /// - Throws: ``DataSourceError``, as ``BithumbOrderBookSource`` does.
    public func trades(
        symbol: String,
        page: TradePage,
        count: Int
    ) async throws(DataSourceError) -> TradeHistoryDTO {
        BithumbClient.checkPathPart(symbol)
        precondition(count > 0, "A page has trades.")
        let response = try await client.get(
            "transaction_history/\(symbol)",
            query: "?count=\(min(count, Self.countMax))",
            .trades
        )
        return try client.read(response) { body throws(DataSourceError) in
            var decoder = TradeHistoryDecoder()
            return try decoder.decode(body)
        }
    }
}
