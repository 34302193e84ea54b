public import DataSourceContracts

/// A fake of the exchange's trade histories over REST.
public final class InMemoryTradeHistorySource: TradeHistorySource {
    private let log: AccessLog
    private let answers = ScriptedAnswers<TradeHistoryDTO>()

    /// Creates a source without trades.
    public init(log: AccessLog) { self.log = log }

    /// Sets the response for a market; smaller requests get its last trades.
    public func put(_ history: TradeHistoryDTO, symbol: String) {
        answers.put(.success(history), name: symbol)
    }

    /// Sets the error for a market.
    public func fail(_ error: DataSourceError, symbol: String) {
        answers.put(.failure(error), name: symbol)
    }

    /// Holds the next response, already determined, until it is released.
    public func hold() { answers.hold() }

    /// Releases the held response.
    public func letGo() { answers.letGo() }

    /// The number of requests for a market's trades.
    public func readCount(symbol: String) -> Int { answers.readCount(name: symbol) }

    /// The trades that stand for the market; `refused` where none were put.
    public func trades(
        symbol: String,
        count: Int
    ) async throws(DataSourceError) -> TradeHistoryDTO {
        precondition((1...100).contains(count), "The exchange gives 1 to 100 trades.")
        log.note(.trades(symbol: symbol, count: count))
        var history = try await answers.read(name: symbol)
        history.trades = history.trades.suffix(count)
        return history
    }
}
