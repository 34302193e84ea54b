import Domain

extension AssetStates {
    /// A coin's states in blocks without a health of their own: unknown once stale.
    func transfers(
        of asset: Asset,
        at now: Timestamp
    ) -> (deposit: TransferViewState?, withdrawal: TransferViewState?) {
        guard let state = self[asset], isFresh(at: now) else { return (nil, nil) }
        return (
            TransferViewState(isOpen: state.isDepositOpen),
            TransferViewState(isOpen: state.isWithdrawalOpen)
        )
    }
}

extension TransferViewState {
    /// Presents a state; nil if unknown.
    init?(isOpen: Bool?) {
        guard let isOpen else { return nil }
        self = isOpen ? .normal : .suspended
    }
}
