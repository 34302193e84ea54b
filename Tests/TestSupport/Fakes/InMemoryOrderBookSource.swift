public import DataSourceContracts

/// An exchange's order books over REST: it answers with what stands in it at that moment.
public final class InMemoryOrderBookSource: OrderBookSource {
    private let log: AccessLog
    private let answers = ScriptedAnswers<OrderBookDTO>()

    /// Makes a source that has no book yet.
    public init(log: AccessLog) { self.log = log }

    /// What the answer for the book's own market is from now on.
    public func put(_ book: OrderBookDTO) { answers.put(.success(book), name: book.symbol) }

    /// How asking for a market fails from now on.
    public func fail(_ error: DataSourceError, symbol: String) {
        answers.put(.failure(error), name: symbol)
    }

    /// Makes the next answer wait, made up already, until it is released.
    public func hold() { answers.hold() }

    /// Lets the answer go that was held.
    public func letGo() { answers.letGo() }

    /// How often a market's book was asked for.
    public func readCount(symbol: String) -> Int { answers.readCount(name: symbol) }

    /// The book that stands for the market; `refused` where none was put.
    public func orderBook(symbol: String) async throws(DataSourceError) -> OrderBookDTO {
        log.note(.orderBook(symbol: symbol))
        return try await answers.read(name: symbol)
    }
}
