public import DataSourceContracts

/// Reads names and warnings from API 2.x: `GET {base}/v1/market/…`.
///
/// An error of this family is an object with a name, a number or a text, and a message, with HTTP
/// status 200 or 4xx; it is thrown as `refused`. An HTTP error without such a body is thrown as
/// `httpStatus`.
///
/// Source: <https://apidocs.bithumb.com>, API v2.1.5, seen 2026-11.
public struct BithumbReferenceSource: MarketReferenceSource {
    private let client: BithumbClient

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Reads all markets with their names and investment warnings.
    ///
    /// - Returns: the rows in the order of the wire.
    /// - Throws: ``DataSourceError``; `cancelled` promptly when the task is cancelled.
    public func markets() async throws(DataSourceError) -> MarketNamesDTO {
        let response = try await client.get("market/all", query: "?isDetails=true", .other, of: .v2)
        return try client.read(response) { body throws(DataSourceError) in
            var decoder = MarketReferenceDecoder()
            return try decoder.markets(body)
        }
    }

    /// Reads the warnings in force.
    ///
    /// - Returns: the rows in the order of the wire.
    /// - Throws: ``DataSourceError``, as ``markets()`` does.
    public func alerts() async throws(DataSourceError) -> MarketAlertsDTO {
        let response = try await client.get("market/virtual_asset_warning", .other, of: .v2)
        return try client.read(response) { body throws(DataSourceError) in
            var decoder = MarketReferenceDecoder()
            return try decoder.alerts(body)
        }
    }
}
