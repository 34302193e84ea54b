/// Reads which coins can be deposited and withdrawn.
public protocol AssetStatusSource: Sendable {
    /// Reads the states of all coins (`GET /public/assetsstatus/ALL`, API 1.x).
    ///
    /// Waits for the category's rate limit and makes one attempt, as ``TickerSource`` does.
    ///
    /// - Throws: ``DataSourceError``.
    func assetStatuses() async throws(DataSourceError) -> AssetStatusesDTO
}

/// Reads names and warnings (API 2.x).
public protocol MarketReferenceSource: Sendable {
    /// Reads all markets with their names and investment warnings
    /// (`GET /v1/market/all?isDetails=true`).
    ///
    /// - Throws: ``DataSourceError``.
    func markets() async throws(DataSourceError) -> MarketNamesDTO

    /// Reads the warnings in force (`GET /v1/market/virtual_asset_warning`).
    ///
    /// - Throws: ``DataSourceError``.
    func alerts() async throws(DataSourceError) -> MarketAlertsDTO
}
