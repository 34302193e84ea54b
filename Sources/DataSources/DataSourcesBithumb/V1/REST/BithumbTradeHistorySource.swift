public import DataSourceContracts

/// Reads past trades from API 1.x: `GET {base}/public/transaction_history/{market}?count=n`.
public actor BithumbTradeHistorySource: TradeHistorySource {
    /// How many trades the exchange gives.
    public static let counts = 1...100

    private let client: BithumbClient
    private var decoder = TradeHistoryDecoder()

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Reads the newest trades of one market.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`: letters, digits and underscores.
    ///   - count: how many at the most, of ``counts``.
    /// - Returns: the trades in the order of the wire.
    /// - Throws: ``DataSourceError``, as ``BithumbOrderBookSource`` does.
    public func trades(
        symbol: String,
        count: Int
    ) async throws(DataSourceError) -> TradeHistoryDTO {
        BithumbClient.checkPathPart(symbol)
        precondition(Self.counts.contains(count), "The exchange gives 1 to 100 trades.")
        let answer = try await client.get(
            "transaction_history/\(symbol)",
            query: "?count=\(count)",
            .trades
        )
        return try client.read(answer) { body throws(DataSourceError) in
            try decoder.decode(body)
        }
    }
}
