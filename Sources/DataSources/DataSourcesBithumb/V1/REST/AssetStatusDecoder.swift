import CBithumbJSON
public import DataSourceContracts

/// Decodes the body of `assetsstatus/ALL`: bytes in, DTO out, no I/O.
///
/// Entries that do not decode are counted and never take others with them; of entries with the same
/// key the last counts. A flag that is neither 0 nor 1 is unknown. A body that is not JSON from the
/// first byte to the last is refused whole.
///
/// Keeps one parser and its buffers: not Sendable, one owner.
public struct AssetStatusDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body.
    ///
    /// - Throws: `refused` with the body's own status and message; `malformed`.
    public mutating func decode(_ body: [UInt8]) throws(DataSourceError) -> AssetStatusesDTO {
        try reader.readBody(body, as: .asset_statuses) { head, answer in
            var lastIndex: [String: Int] = [:]
            let keys = (0..<answer.assetCount).map { answer.string(answer.asset($0).key) }
            for (index, key) in keys.enumerated() { lastIndex[key] = index }
            let assets = keys.indices.filter { lastIndex[keys[$0]] == $0 }.map { index in
                AssetStatusDTO(answer.asset(index), asset: keys[index])
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
