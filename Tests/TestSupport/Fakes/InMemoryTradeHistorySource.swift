public import DataSourceContracts

/// A fake of the exchange's trade histories over REST.
public final class InMemoryTradeHistorySource: TradeHistorySource {
    private let log: AccessLog
    private let answers = ScriptedAnswers<TradeHistoryDTO>()

    /// Creates a source without trades.
    public init(log: AccessLog) { self.log = log }

    /// Sets the trades of a market: all that the exchange has.
    ///
    /// Of API 1.x, smaller requests get the last of them; of API 2.x, pages of them.
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
        page: TradePage,
        count: Int
    ) async throws(DataSourceError) -> TradeHistoryDTO {
        precondition((1...500).contains(count), "The exchange gives 1 to 500 trades.")
        log.note(.trades(symbol: symbol, count: count))
        return try await answers.read(name: symbol).page(page, count: count)
    }
}

extension TradeHistoryDTO {
    /// The page of all trades that an exchange returns.
    ///
    /// - Parameters:
    ///   - start: where a page of API 2.x begins; days and times are not supported.
    ///   - count: the number of trades; API 1.x returns at most 100.
    ///   - isInclusive: whether the trade at the cursor belongs to the page.
    /// - Returns: the page.
    public func page(
        _ start: TradePage,
        count: Int,
        isInclusive: Bool = false
    ) -> TradeHistoryDTO {
        var page = self
        guard isPaged else {
            page.trades = trades.suffix(min(count, 100))
            return page
        }
        let rows = trades.drop { trade in
            guard case .cursor(let cursor) = start, let id = trade.sequentialID else {
                return false
            }
            return isInclusive ? id > cursor : id >= cursor
        }
        if case .day = start { return TradeHistoryDTO(trades: [], isPaged: true) }
        page.trades = Array(rows.prefix(count))
        return page
    }
}
