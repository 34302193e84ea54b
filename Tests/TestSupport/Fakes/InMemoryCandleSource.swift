public import DataSourceContracts

/// A fake of the exchange's candles over REST.
public final class InMemoryCandleSource: CandleSource {
    private let log: AccessLog
    private let answers = ScriptedAnswers<CandlesDTO>()

    /// Creates a source without candles.
    public init(log: AccessLog) { self.log = log }

    /// Sets the response for an interval of a market.
    public func put(_ candles: CandlesDTO, symbol: String, interval: String) {
        answers.put(.success(candles), name: Self.name(symbol, interval))
    }

    /// Sets the response for a span of an interval of a market, by its beginning in Unix seconds.
    public func put(_ candles: CandlesDTO, symbol: String, interval: String, from start: Int64) {
        answers.put(.success(candles), name: Self.name(symbol, interval, start))
    }

    /// Sets the error for a span of an interval of a market.
    public func fail(
        _ error: DataSourceError,
        symbol: String,
        interval: String,
        from start: Int64
    ) {
        answers.put(.failure(error), name: Self.name(symbol, interval, start))
    }

    /// Sets the error for an interval of a market.
    public func fail(_ error: DataSourceError, symbol: String, interval: String) {
        answers.put(.failure(error), name: Self.name(symbol, interval))
    }

    /// Holds the next response, already determined, until it is released.
    public func hold() { answers.hold() }

    /// Releases the held response.
    public func letGo() { answers.letGo() }

    /// The number of requests for an interval of a market, or for a span of it.
    public func readCount(symbol: String, interval: String, from start: Int64? = nil) -> Int {
        answers.readCount(name: Self.name(symbol, interval, start))
    }

    /// The response for the interval of the market; `refused` by default.
    public func candles(
        symbol: String,
        interval: String,
        reach: CandleReach
    ) async throws(DataSourceError) -> CandlesDTO {
        log.note(.candles(symbol: symbol, interval: interval))
        let start: Int64? = if case .span(let span) = reach { span.lowerBound } else { nil }
        return try await answers.read(name: Self.name(symbol, interval, start))
    }

    private static func name(
        _ symbol: String,
        _ interval: String,
        _ start: Int64? = nil
    ) -> String {
        "\(symbol)/\(interval)" + (start.map { "/\($0)" } ?? "")
    }
}
