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
