public import DataSourceContracts

/// An exchange's candles over REST: it answers with what stands in it at that moment.
public final class InMemoryCandleSource: CandleSource {
    private let log: AccessLog
    private let answers = ScriptedAnswers<CandlesDTO>()

    /// Makes a source that has no candles yet.
    public init(log: AccessLog) { self.log = log }

    /// What the answer for a market's interval is from now on.
    public func put(_ candles: CandlesDTO, symbol: String, interval: String) {
        answers.put(.success(candles), name: Self.name(symbol, interval))
    }

    /// How asking for a market's interval fails from now on.
    public func fail(_ error: DataSourceError, symbol: String, interval: String) {
        answers.put(.failure(error), name: Self.name(symbol, interval))
    }

    /// Makes the next answer wait, made up already, until it is released.
    public func hold() { answers.hold() }

    /// Lets the answer go that was held.
    public func letGo() { answers.letGo() }

    /// How often a market's interval was asked for.
    public func readCount(symbol: String, interval: String) -> Int {
        answers.readCount(name: Self.name(symbol, interval))
    }

    /// The candles that stand for the market's interval; `refused` where none were put.
    public func candles(
        symbol: String,
        interval: String
    ) async throws(DataSourceError) -> CandlesDTO {
        log.note(.candles(symbol: symbol, interval: interval))
        return try await answers.read(name: Self.name(symbol, interval))
    }

    private static func name(_ symbol: String, _ interval: String) -> String {
        "\(symbol)/\(interval)"
    }
}
