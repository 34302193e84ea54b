import CBithumbJSON
public import DataSourceContracts

/// Decodes the body of `assetsstatus/ALL` without I/O.
///
/// Entries that do not decode are counted and do not affect others; of entries with the same
/// key the last counts. A flag that is neither 0 nor 1 is unknown. A body that is not complete JSON
/// is refused as a whole.
///
/// Not Sendable: owns one parser and its buffers.
public struct AssetStatusDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body.
    ///
    /// - Throws: `refused` with the status and message of the body; `malformed`.
    public mutating func decode(_ body: [UInt8]) throws(DataSourceError) -> AssetStatusesDTO {
        try reader.readBody(body, as: .asset_statuses) { head, result in
            var lastIndex: [String: Int] = [:]
            let keys = (0..<result.assetCount).map { result.string(result.asset($0).key) }
            for (index, key) in keys.enumerated() { lastIndex[key] = index }
            let assets = keys.indices.filter { lastIndex[keys[$0]] == $0 }.map { index in
                AssetStatusDTO(result.asset(index), asset: keys[index])
            }
            let repeatedCount = keys.count - assets.count
            return AssetStatusesDTO(
                assets: assets,
                skippedCount: Int(head.skipped_count) + repeatedCount
            )
        }
    }
}

@available(*, unavailable)
extension AssetStatusDecoder: Sendable {}

extension AssetStatusDTO {
    fileprivate init(_ asset: hoga_wire_asset, asset symbol: String) {
        self.init(
            asset: symbol,
            isDepositOpen: Bool(asset.deposit),
            isWithdrawalOpen: Bool(asset.withdrawal)
        )
    }
}
