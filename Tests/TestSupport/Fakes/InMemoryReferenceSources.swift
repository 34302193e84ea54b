public import DataSourceContracts

/// An exchange's deposits and withdrawals over REST: it answers with what stands in it.
public final class InMemoryAssetStatusSource: AssetStatusSource {
    private let log: AccessLog
    private let answers = ScriptedAnswers(absent: .success(AssetStatusesDTO(assets: [])))

    /// Makes a source that knows no coin yet.
    public init(log: AccessLog) { self.log = log }

    /// What the answer is from now on.
    public func put(_ answer: AssetStatusesDTO) { answers.put(.success(answer), name: "") }

    /// How asking fails from now on.
    public func fail(_ error: DataSourceError) { answers.put(.failure(error), name: "") }

    /// Makes the next answer wait, made up already, until it is released.
    public func hold() { answers.hold() }

    /// Lets the answer go that was held.
    public func letGo() { answers.letGo() }

    /// The answer that stands.
    public func assetStatuses() async throws(DataSourceError) -> AssetStatusesDTO {
        log.note(.assetStatuses)
        return try await answers.read(name: "")
    }
}

/// An exchange's names and warnings over REST: it answers with what stands in it.
public final class InMemoryMarketReferenceSource: MarketReferenceSource {
    private let log: AccessLog
    private let names = ScriptedAnswers(absent: .success(MarketNamesDTO(markets: [])))
    private let warnings = ScriptedAnswers(absent: .success(MarketAlertsDTO(alerts: [])))

    /// Makes a source that names no market yet.
    public init(log: AccessLog) { self.log = log }

    /// What the answer of names is from now on.
    public func put(_ answer: MarketNamesDTO) { names.put(.success(answer), name: "") }

    /// What the answer of warnings is from now on.
    public func put(_ answer: MarketAlertsDTO) { warnings.put(.success(answer), name: "") }

    /// How asking for names fails from now on.
    public func failNames(_ error: DataSourceError) { names.put(.failure(error), name: "") }

    /// How asking for warnings fails from now on.
    public func failAlerts(_ error: DataSourceError) { warnings.put(.failure(error), name: "") }

    /// The names that stand.
    public func markets() async throws(DataSourceError) -> MarketNamesDTO {
        log.note(.marketNames)
        return try await names.read(name: "")
    }

    /// The warnings that stand.
    public func alerts() async throws(DataSourceError) -> MarketAlertsDTO {
        log.note(.marketAlerts)
        return try await warnings.read(name: "")
    }
}
