public import DataSourceContracts

/// A fake of the exchange's order books over REST.
public final class InMemoryOrderBookSource: OrderBookSource {
    private let log: AccessLog
    private let answers = ScriptedAnswers<OrderBookDTO>()

    /// Creates a source without books.
    public init(log: AccessLog) { self.log = log }

    /// Sets the response for the book's market.
    public func put(_ book: OrderBookDTO) { put(book, symbol: book.symbol) }

    /// Sets the response for a market that the book's API spells otherwise.
    public func put(_ book: OrderBookDTO, symbol: String) {
        answers.put(.success(book), name: symbol)
    }

    /// Sets the error for a market.
    public func fail(_ error: DataSourceError, symbol: String) {
        answers.put(.failure(error), name: symbol)
    }

    /// Holds the next response, already determined, until it is released.
    public func hold() { answers.hold() }

    /// Releases the held response.
    public func letGo() { answers.letGo() }

    /// The number of requests for a market's book.
    public func readCount(symbol: String) -> Int { answers.readCount(name: symbol) }

    /// The response for the market; `refused` by default.
    public func orderBook(symbol: String) async throws(DataSourceError) -> OrderBookDTO {
        log.note(.orderBook(symbol: symbol))
        return try await answers.read(name: symbol)
    }
}
