public import DataSourceContracts

/// Reads deposit and withdrawal states from API 1.x: `GET {base}/public/assetsstatus/ALL`.
public struct BithumbAssetStatusSource: AssetStatusSource {
    private let client: BithumbClient

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Reads the states of all coins.
    ///
    /// - Returns: the coins in the order of the wire.
    /// - Throws: ``DataSourceError``; `cancelled` promptly when the task is cancelled.
    public func assetStatuses() async throws(DataSourceError) -> AssetStatusesDTO {
        let response = try await client.get("assetsstatus/ALL", .other)
        return try client.read(response) { body throws(DataSourceError) in
            var decoder = AssetStatusDecoder()
            return try decoder.decode(body)
        }
    }
}
