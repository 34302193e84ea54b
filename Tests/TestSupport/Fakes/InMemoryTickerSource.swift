public import DataSourceContracts

/// An exchange's REST side: it answers with what stands in it at that moment.
public final class InMemoryTickerSource: TickerSource {
    private let log: AccessLog
    private let answers = ScriptedAnswers(absent: .success(TickerAllDTO()))

    /// Makes a source that lists no market yet.
    public init(log: AccessLog) { self.log = log }

    /// What a quote currency's answer is from now on.
    public func put(_ answer: TickerAllDTO, quote: String) {
        answers.put(.success(answer), name: quote)
    }

    /// How asking for a quote currency fails from now on.
    public func fail(_ error: DataSourceError, quote: String) {
        answers.put(.failure(error), name: quote)
    }

    /// Makes the next answer wait, made up already, until it is released.
    public func hold() { answers.hold() }

    /// Lets the answer go that was held.
    public func letGo() { answers.letGo() }

    /// The answer that stands for the quote currency; an empty one where none was put.
    public func tickers(quote: String) async throws(DataSourceError) -> TickerAllDTO {
        log.note(.listing(quote: quote))
        return try await answers.read(name: quote)
    }
}
