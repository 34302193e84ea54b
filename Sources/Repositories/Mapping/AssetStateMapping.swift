import DataSourceContracts
import Domain

/// Maps a response of `assetsstatus/ALL` to deposit and withdrawal states.
enum AssetStateMapping {
    /// Maps a response.
    ///
    /// - Returns: the states, and the number of skipped entries: unreadable ones and those without
    ///   a coin code.
    static func states(
        _ answer: AssetStatusesDTO
    ) -> (states: [Asset: AssetState], skipped: Int) {
        var states: [Asset: AssetState] = [:]
        var skipped = answer.skippedCount
        for entry in answer.assets {
            guard let asset = Asset(symbol: entry.asset) else {
                skipped += 1
                continue
            }
            states[asset] = AssetState(
                isDepositOpen: entry.isDepositOpen,
                isWithdrawalOpen: entry.isWithdrawalOpen
            )
        }
        return (states, skipped)
    }
}
