public import DataSourceContracts

/// An exchange's trade histories over REST: it answers with what stands in it at that moment.
public final class InMemoryTradeHistorySource: TradeHistorySource {
    private let log: AccessLog
    private let answers = ScriptedAnswers<TradeHistoryDTO>()

    /// Makes a source that has no trades yet.
    public init(log: AccessLog) { self.log = log }

    /// What a market's answer is from now on; whoever asks for fewer gets the last of them.
    public func put(_ history: TradeHistoryDTO, symbol: String) {
        answers.put(.success(history), name: symbol)
    }

    /// How asking for a market fails from now on.
    public func fail(_ error: DataSourceError, symbol: String) {
        answers.put(.failure(error), name: symbol)
    }

    /// Makes the next answer wait, made up already, until it is released.
    public func hold() { answers.hold() }

    /// Lets the answer go that was held.
    public func letGo() { answers.letGo() }

    /// How often a market's trades were asked for.
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
