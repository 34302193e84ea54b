public import DataSourceContracts

/// A fake of the exchange's deposits and withdrawals over REST.
public final class InMemoryAssetStatusSource: AssetStatusSource {
    private let log: AccessLog
    private let answers = ScriptedAnswers(absent: .success(AssetStatusesDTO(assets: [])))

    /// Creates a source without coins.
    public init(log: AccessLog) { self.log = log }

    /// Sets the response.
    public func put(_ answer: AssetStatusesDTO) { answers.put(.success(answer), name: "") }

    /// Sets the error.
    public func fail(_ error: DataSourceError) { answers.put(.failure(error), name: "") }

    /// Holds the next response, already determined, until it is released.
    public func hold() { answers.hold() }

    /// Releases the held response.
    public func letGo() { answers.letGo() }

    /// The response.
    public func assetStatuses() async throws(DataSourceError) -> AssetStatusesDTO {
        log.note(.assetStatuses)
        return try await answers.read(name: "")
    }
}

/// A fake of the exchange's names and warnings over REST.
public final class InMemoryMarketReferenceSource: MarketReferenceSource {
    private let log: AccessLog
    private let names = ScriptedAnswers(absent: .success(MarketNamesDTO(markets: [])))
    private let warnings = ScriptedAnswers(absent: .success(MarketAlertsDTO(alerts: [])))

    /// Creates a source without names.
    public init(log: AccessLog) { self.log = log }

    /// Sets the response for names.
    public func put(_ answer: MarketNamesDTO) { names.put(.success(answer), name: "") }

    /// Sets the response for warnings.
    public func put(_ answer: MarketAlertsDTO) { warnings.put(.success(answer), name: "") }

    /// Sets the error for names.
    public func failNames(_ error: DataSourceError) { names.put(.failure(error), name: "") }

    /// Sets the error for warnings.
    public func failAlerts(_ error: DataSourceError) { warnings.put(.failure(error), name: "") }

    /// The response for names.
    public func markets() async throws(DataSourceError) -> MarketNamesDTO {
        log.note(.marketNames)
        return try await names.read(name: "")
    }

    /// The response for warnings.
    public func alerts() async throws(DataSourceError) -> MarketAlertsDTO {
        log.note(.marketAlerts)
        return try await warnings.read(name: "")
    }
}
