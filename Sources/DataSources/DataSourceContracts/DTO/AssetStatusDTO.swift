/// One coin of `GET /public/assetsstatus/ALL` (API 1.x, seen 2022).
///
/// ```json
/// "XRP": {"withdrawal_status": 1, "deposit_status": 0}
/// ```
public struct AssetStatusDTO: Sendable, Hashable {
    /// The coin's code, the key of its entry.
    public var asset: String
    /// `deposit_status`: 1 is open, 0 is not; nil for anything else.
    public var isDepositOpen: Bool?
    /// `withdrawal_status`, likewise.
    public var isWithdrawalOpen: Bool?

    /// Makes an entry.
    public init(asset: String, isDepositOpen: Bool?, isWithdrawalOpen: Bool?) {
        self.asset = asset
        self.isDepositOpen = isDepositOpen
        self.isWithdrawalOpen = isWithdrawalOpen
    }
}

/// A response of `assetsstatus/ALL`.
public struct AssetStatusesDTO: Sendable, Hashable {
    /// The coins in the order of the wire.
    public var assets: [AssetStatusDTO]
    /// The number of unreadable entries.
    public var skippedCount: Int

    /// Makes a response.
    public init(assets: [AssetStatusDTO], skippedCount: Int = 0) {
        self.assets = assets
        self.skippedCount = skippedCount
    }
}
