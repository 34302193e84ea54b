public import DataSourceContracts
import Synchronization

/// A fake of the exchange's candles over REST.
public final class InMemoryCandleSource: CandleSource {
    private let log: AccessLog
    private let answers = ScriptedAnswers<CandlesDTO>()
    /// The names of answers for spans with an end.
    private let ends = Mutex<Set<String>>([])
    private let allReaches = Mutex<[CandleReach]>([])

    /// How far back each request read so far.
    public var reaches: [CandleReach] { allReaches.withLock { $0 } }

    /// Creates a source without candles.
    public init(log: AccessLog) { self.log = log }

    /// Sets the response for an interval of a market.
    public func put(_ candles: CandlesDTO, symbol: String, interval: String) {
        answers.put(.success(candles), name: Self.name(symbol, interval))
    }

    /// Sets the response for spans of an interval of a market, by their beginning in Unix seconds,
    /// or for the one with an end.
    public func put(
        _ candles: CandlesDTO,
        symbol: String,
        interval: String,
        from start: Int64,
        to end: Int64? = nil
    ) {
        put(.success(candles), Self.name(symbol, interval, start), end)
    }

    /// Sets the error for a span of an interval of a market.
    public func fail(
        _ error: DataSourceError,
        symbol: String,
        interval: String,
        from start: Int64,
        to end: Int64? = nil
    ) {
        put(.failure(error), Self.name(symbol, interval, start), end)
    }

    private func put(_ answer: Result<CandlesDTO, DataSourceError>, _ name: String, _ end: Int64?) {
        guard let end else { return answers.put(answer, name: name) }
        ends.withLock { _ = $0.insert("\(name)/\(end)") }
        answers.put(answer, name: "\(name)/\(end)")
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
    public func readCount(
        symbol: String,
        interval: String,
        from start: Int64? = nil,
        to end: Int64? = nil
    ) -> Int {
        answers.readCount(name: Self.name(symbol, interval, start) + (end.map { "/\($0)" } ?? ""))
    }

    /// The response for the interval of the market; `refused` by default.
    public func candles(
        symbol: String,
        interval: String,
        reach: CandleReach
    ) async throws(DataSourceError) -> CandlesDTO {
        log.note(.candles(symbol: symbol, interval: interval))
        allReaches.withLock { $0.append(reach) }
        guard case .span(let span) = reach else {
            return try await answers.read(name: Self.name(symbol, interval))
        }
        let name = Self.name(symbol, interval, span.lowerBound)
        let exact = "\(name)/\(span.upperBound)"
        return try await answers.read(name: ends.withLock { $0.contains(exact) } ? exact : name)
    }

    private static func name(
        _ symbol: String,
        _ interval: String,
        _ start: Int64? = nil
    ) -> String {
        "\(symbol)/\(interval)" + (start.map { "/\($0)" } ?? "")
    }
}
