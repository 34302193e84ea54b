public import Domain

extension SampleBoard {
    /// Applies the status of deposits and withdrawals.
    public mutating func transfers(_ states: [String: (deposit: Bool?, withdrawal: Bool?)]) {
        var read: [Asset: AssetState] = [:]
        for (symbol, state) in states {
            guard let asset = Asset(symbol: symbol) else {
                preconditionFailure("“\(symbol)” is no code of a coin")
            }
            read[asset] = AssetState(
                isDepositOpen: state.deposit,
                isWithdrawalOpen: state.withdrawal
            )
        }
        applyReference(.assetStates(read, readAt: now))
    }

    /// Applies the warnings of the exchange.
    public mutating func marks(
        warned: Set<MarketID> = [],
        alerts: [MarketID: [MarketAlert]] = [:]
    ) {
        applyReference(.marks(MarketWarnings(warned: warned, alerts: alerts, readAt: now)))
    }
}
