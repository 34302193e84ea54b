public import DataSourceContracts

/// A fake of the exchange's tickers over REST.
public final class InMemoryTickerSource: TickerSource {
    private let log: AccessLog
    private let answers = ScriptedAnswers(absent: .success(TickerAllDTO()))

    /// Creates a source without markets.
    public init(log: AccessLog) { self.log = log }

    /// Sets the response for a quote currency.
    public func put(_ answer: TickerAllDTO, quote: String) {
        answers.put(.success(answer), name: quote)
    }

    /// Sets the error for a quote currency.
    public func fail(_ error: DataSourceError, quote: String) {
        answers.put(.failure(error), name: quote)
    }

    /// Holds the next response, already determined, until it is released.
    public func hold() { answers.hold() }

    /// Releases the held response.
    public func letGo() { answers.letGo() }

    /// The response for the quote currency; empty by default.
    public func tickers(quote: String) async throws(DataSourceError) -> TickerAllDTO {
        log.note(.listing(quote: quote))
        return try await answers.read(name: quote)
    }
}

/// A fake of the exchange's tickers of API 2.x.
public final class InMemoryMarketTickerSource: MarketTickerSource {
    private let log: AccessLog
    private let answers = ScriptedAnswers(absent: .success(MarketTickersDTO()))

    /// Creates a source without markets.
    public init(log: AccessLog) { self.log = log }

    /// Sets the response.
    public func put(_ answer: MarketTickersDTO) { answers.put(.success(answer), name: "") }

    /// Sets the error.
    public func fail(_ error: DataSourceError) { answers.put(.failure(error), name: "") }

    /// The tickers of the markets, of those in the response.
    public func tickers(markets: [String]) async throws(DataSourceError) -> MarketTickersDTO {
        log.note(.tickers(markets: markets))
        var answer = try await answers.read(name: "")
        answer.tickers.removeAll { !markets.contains($0.market) }
        return answer
    }
}
