import DataSourceContracts
import Domain

/// Turns an answer of `assetsstatus/ALL` into states of coins.
enum AssetStateMapping {
    /// Maps an answer.
    ///
    /// - Returns: the states, and how many entries were left out because they could not be read or
    ///   their code is no coin code.
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
