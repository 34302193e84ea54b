public import DataSourceContracts

/// Reads deposit and withdrawal states from API 1.x: `GET {base}/public/assetsstatus/ALL`.
public actor BithumbAssetStatusSource: AssetStatusSource {
    private let client: BithumbClient
    private var decoder = AssetStatusDecoder()

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Reads the states of all coins.
    ///
    /// - Returns: the coins in the order of the wire.
    /// - Throws: ``DataSourceError``; `cancelled` promptly when the task is cancelled.
    public func assetStatuses() async throws(DataSourceError) -> AssetStatusesDTO {
        let answer = try await client.get("assetsstatus/ALL", .other)
        return try client.read(answer) { body throws(DataSourceError) in
            try decoder.decode(body)
        }
    }
}
